#include "src/run/plan_iolog.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/units.h"
#include "src/base/xalloc.h"
#include "src/run/plan_device.h"

static int how_of(const struct job_spec *s, struct iolog_how *how, struct err *e)
{
	*how = (struct iolog_how){
		.redirect = s->replay_redirect,
		.no_stall = s->replay_no_stall,
		.time_pct = s->replay_time_scale,
		.align = s->replay_align,
		.scale = s->replay_scale,
	};
	return s->replay_skip ? iolog_skip_parse(s->replay_skip, how, e) : 0;
}

/* The I/O of all logs; what a buffer must hold. */
static void take_ops(struct plan *p)
{
	p->tune.ops = 0;
	p->tune.random = false;
	for (size_t i = 0; i < p->iolog->n_logs; i++) {
		const struct iolog *log = &p->iolog->logs[i];

		p->tune.ops |= log->ops;
		for (unsigned op = 0; op < IO_OP_NR; op++)
			if (i == 0 || log->len_max[op] > p->tune.bs_bytes[op])
				p->tune.bs_bytes[op] = log->len_max[op];
	}
	for (unsigned op = 0; op < IO_OP_NR; op++)
		if (!p->tune.bs_bytes[op])
			p->tune.bs_bytes[op] = p->spec->bs_bytes[op];
	p->writes = p->tune.ops & (IO_BIT(IO_WRITE) | IO_BIT(IO_TRIM));
}

int plan_iolog_load(struct plan *p, struct err *e)
{
	const char *list = p->spec->read_iolog;
	struct iolog_how how;
	char *name;
	int rc;

	if (!list)
		return 0;
	rc = how_of(p->spec, &how, e);
	p->iolog = xcalloc(1, sizeof(*p->iolog));
	while (rc == 0 && (name = spec_path_next(&list))) {
		rc = iolog_load(p->iolog, name, &how, e);
		free(name);
	}
	if (rc == 0 && !p->iolog->n_logs)
		rc = err_set(e, EINVAL, "read_iolog= names no log");
	if (rc)
		return err_wrap(e, "%s", p->spec->name);
	take_ops(p);
	return 0;
}

const struct iolog *plan_iolog_of(const struct plan *p, unsigned k)
{
	if (!p->iolog)
		return NULL;
	return &p->iolog->logs[plan_clone_number(p, k) % p->iolog->n_logs];
}

void plan_iolog_files(struct plan *p)
{
	p->shared_files = true;
	p->n_files = (unsigned)p->iolog->n_files;
	if (p->engine->flags & ENGINE_DISKLESS)
		return;
	p->n_targets = p->n_files;
	p->targets = xcalloc(p->n_targets, sizeof(*p->targets));
	for (unsigned i = 0; i < p->n_targets; i++)
		p->targets[i] =
			(struct target){.path = xstrdup(p->iolog->files[i]->path), .fd = -1};
}

static uint64_t bounded_by(const struct plan *p, unsigned f)
{
	if (p->device)
		return plan_device_bytes(p);
	if (p->n_targets && p->targets[f].info.kind == TARGET_BLOCK)
		return p->targets[f].info.size_bytes;
	return UINT64_MAX;
}

int plan_iolog_region(const struct plan *p, unsigned f, uint64_t *len, struct err *e)
{
	const struct iolog_file *file = p->iolog->files[f];
	uint64_t whole = bounded_by(p, f);
	char end[32];

	if (file->end_bytes > whole) {
		units_fmt_bytes(end, sizeof(end), (double)whole, false);
		return err_set(e, EINVAL, "%.200s:%u: is past the end of %.100s (%s)",
			       p->iolog->logs[file->end_log].name, file->end_line,
			       p->device ? p->device_name : file->path, end);
	}
	*len = file->end_bytes;
	return 0;
}

int plan_iolog_size(struct plan *p, struct err *e)
{
	uint64_t len;

	for (unsigned f = 0; f < p->n_files; f++) {
		const struct iolog_file *file = p->iolog->files[f];
		int rc = plan_iolog_region(p, f, &len, e);

		if (rc)
			return rc;
		if (!p->n_targets)
			continue;
		p->targets[f].off_bytes = file->ops ? file->begin_bytes : 0;
		p->targets[f].need_bytes = len;
	}
	/* All limits are the log's; a worker ends with its last record. */
	p->number_ios = UINT64_MAX;
	p->io_bytes = 0;
	for (size_t i = 0; i < p->iolog->n_logs; i++)
		if (p->iolog->logs[i].bytes > p->io_bytes)
			p->io_bytes = p->iolog->logs[i].bytes;
	p->size_bound = true;
	return 0;
}

static uint32_t align_of(const struct plan *p, unsigned f)
{
	uint32_t align = p->n_targets ? p->targets[f].info.logical_block : 1;

	return p->spec->direct && align ? align : 1;
}

int plan_iolog_check_align(const struct plan *p, struct err *e)
{
	for (size_t i = 0; i < p->iolog->n_logs; i++) {
		const struct iolog *log = &p->iolog->logs[i];

		for (size_t k = 0; k < log->n; k++) {
			const struct iolog_rec *r = &log->v[k];
			uint32_t align = r->kind < IO_OP_NR ? align_of(p, r->file) : 1;

			if (r->offset % align == 0 && r->len % align == 0)
				continue;
			return err_set(
				e, EINVAL,
				"%.200s:%u: offset %llu and length %u are to be multiples of "
				"%u, the logical block of %.100s (direct=1); see replay_align",
				log->name, r->line, (unsigned long long)r->offset, r->len, align,
				p->iolog->files[r->file]->path);
		}
	}
	return 0;
}

int plan_iolog_check_written(const struct plan *p, struct err *e)
{
	int rc = 0;

	if (!p->spec->write_iolog)
		return 0;
	for (unsigned i = 0; i < p->n_targets && rc == 0; i++)
		rc = iolog_check_name(p->targets[i].path, e);
	if (rc == 0 && p->device)
		rc = iolog_check_name(p->device_name, e);
	if (rc == 0 && !p->n_targets && !p->device && !p->iolog)
		rc = iolog_check_name(p->spec->name, e);
	return rc ? err_wrap(e, "%s: write_iolog", p->spec->name) : 0;
}

/* fio does not look at them either, or falls over them. */
void plan_iolog_notes(const struct plan *p, struct strbuf *notes)
{
	const struct job_spec *s = p->spec;
	const struct {
		const char *name;
		bool given;
	} rows[] = {
		{"filename", s->filename && !p->device},
		{"directory", s->directory},
		{"nrfiles", s->nrfiles > 1},
		{"bssplit", s->bssplit},
		{"bsrange", s->bsrange},
		{"size", s->size.is_set},
		{"io_size", s->io_size.is_set},
		{"filesize", s->filesize},
		{"offset", s->offset.is_set},
		{"offset_increment", s->offset_increment.is_set},
		{"number_ios", s->number_ios},
		{"loops", s->loops > 1},
		{"unlink_each_loop", s->unlink_each_loop},
		{"time_based", s->time_based},
	};

	if (!p->iolog)
		return;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].given)
			strbuf_addf(notes,
				    "%s: %s has no effect with read_iolog: the log is played back "
				    "once, as it is\n",
				    s->name, rows[i].name);
}
