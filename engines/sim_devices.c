#include "engines/sim_devices.h"

#include <stddef.h>
#include <string.h>

#include "engines/sim_rows.h"

/* In the order of help and lists. */
const struct sim_params *const sim_devices[] = {
	&sim_hdd,      &sim_hdd25,    &sim_hdd10k,       &sim_raid5,      &sim_floppy,
	&sim_usb,      &sim_sata2,    &sim_sata,         &sim_sata_intel, &sim_sata_dc,
	&sim_sata_hba, &sim_nvme3,    &sim_nvme3_micron, &sim_nvme3_evo,  &sim_nvme,
	&sim_nvme_slc, &sim_nvme_990, &sim_nvme_dc,      &sim_nvme_plp,   &sim_nvme_intel,
	&sim_nvme5,    &sim_optane,   &sim_gp2,          &sim_gp3,        &sim_io1,
	&sim_essd,     &sim_ovh,      &sim_gcp_local,    &sim_gcp_pd,     &sim_ceph_hdd,
	&sim_ceph_ssd, NULL,
};

const struct sim_params *sim_device_find(const char *name)
{
	for (size_t i = 0; sim_devices[i]; i++)
		if (!strcmp(sim_devices[i]->name, name))
			return sim_devices[i];
	return NULL;
}
