/*
 * One record per completed I/O, from a worker to the logger: a bounded queue with one producer and one
 * consumer. The worker never waits: when the queue is full the record is dropped and counted.
 */
#ifndef IODECK_RUN_LOG_RING_H
#define IODECK_RUN_LOG_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOG_RING_RECORDS 16384u /* 640 KiB; the logger looks a hundred times a second */

struct log_record {
	uint64_t done_ns, offset, slat_ns, clat_ns;
	uint32_t len;
	uint8_t op;
};

struct log_ring {
	_Atomic uint64_t head, dropped; /* written by the worker */
	char pad[48];                   /* the two sides on cache lines of their own */
	_Atomic uint64_t tail;          /* written by the logger */
	char pad2[56];
	struct log_record rec[LOG_RING_RECORDS];
};

/* Worker only. */
static inline void log_ring_put(struct log_ring *r, const struct log_record *rec)
{
	uint64_t head = atomic_load_explicit(&r->head, memory_order_relaxed);

	if (head - atomic_load_explicit(&r->tail, memory_order_acquire) >= LOG_RING_RECORDS) {
		uint64_t n = atomic_load_explicit(&r->dropped, memory_order_relaxed);

		atomic_store_explicit(&r->dropped, n + 1, memory_order_relaxed);
		return;
	}
	r->rec[head % LOG_RING_RECORDS] = *rec;
	atomic_store_explicit(&r->head, head + 1, memory_order_release);
}

/* Logger only: takes the oldest record; false when there is none. */
static inline bool log_ring_take(struct log_ring *r, struct log_record *rec)
{
	uint64_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);

	if (tail == atomic_load_explicit(&r->head, memory_order_acquire))
		return false;
	*rec = r->rec[tail % LOG_RING_RECORDS];
	atomic_store_explicit(&r->tail, tail + 1, memory_order_release);
	return true;
}

/*
 * The same for every I/O that is issued, in that order (write_iolog). Its reader looks at the oldest record
 * before it takes it, so that the records of several workers can be put in order.
 */
#define TRACE_RING_RECORDS 65536u /* 2 MiB */

struct trace_record {
	uint64_t issue_ns, offset;
	uint32_t len, file;
	uint8_t kind; /* enum io_op or enum iolog_kind */
};

struct trace_ring {
	_Atomic uint64_t head, dropped; /* written by the worker */
	char pad[48];
	_Atomic uint64_t tail; /* written by the logger */
	char pad2[56];
	struct trace_record rec[TRACE_RING_RECORDS];
};

/* Worker only. */
static inline void trace_ring_put(struct trace_ring *r, const struct trace_record *rec)
{
	uint64_t head = atomic_load_explicit(&r->head, memory_order_relaxed);

	if (head - atomic_load_explicit(&r->tail, memory_order_acquire) >= TRACE_RING_RECORDS) {
		uint64_t n = atomic_load_explicit(&r->dropped, memory_order_relaxed);

		atomic_store_explicit(&r->dropped, n + 1, memory_order_relaxed);
		return;
	}
	r->rec[head % TRACE_RING_RECORDS] = *rec;
	atomic_store_explicit(&r->head, head + 1, memory_order_release);
}

/* Logger only: the oldest record, NULL when there is none; it stays until trace_ring_pop(). */
static inline const struct trace_record *trace_ring_peek(struct trace_ring *r)
{
	uint64_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);

	if (tail == atomic_load_explicit(&r->head, memory_order_acquire))
		return NULL;
	return &r->rec[tail % TRACE_RING_RECORDS];
}

static inline void trace_ring_pop(struct trace_ring *r)
{
	uint64_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);

	atomic_store_explicit(&r->tail, tail + 1, memory_order_release);
}

#endif
