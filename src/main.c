/* iodeck: argv to mode. Only main exits. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		puts("iodeck-" IODECK_VERSION);
		return 0;
	}
	fputs("usage: iodeck --version\n", stderr);
	return 1;
}
