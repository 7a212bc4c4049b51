/* The three kinds of I/O every layer counts apart. */
#ifndef IODECK_BASE_IOOP_H
#define IODECK_BASE_IOOP_H

enum io_op { IO_READ, IO_WRITE, IO_TRIM, IO_OP_NR };

/* "read", "write", "trim" */
const char *io_op_name(enum io_op op);

/* A set of ops as bits: IO_BIT(IO_READ) | IO_BIT(IO_WRITE). */
#define IO_BIT(op) (1u << (op))

#endif
