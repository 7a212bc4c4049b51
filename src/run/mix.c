#include "src/run/mix.h"

void mix_init(struct mix *m, uint8_t ops, uint8_t read_pct, uint64_t seed)
{
	*m = (struct mix){.ops = ops, .read_pct = read_pct, .trim_turn = true};
	rng_seed(&m->rng, seed);
}

static enum io_op draw(struct mix *m)
{
	bool read;

	if (m->left == 0) {
		m->left = MIX_DECK;
		m->reads_left = m->read_pct;
	}
	read = rng_below(&m->rng, m->left) < m->reads_left;
	m->left--;
	m->reads_left -= read;
	return read ? IO_READ : IO_WRITE;
}

enum io_op mix_next(struct mix *m)
{
	if (m->ops == (IO_BIT(IO_READ) | IO_BIT(IO_WRITE)))
		return draw(m);
	if (m->ops == (IO_BIT(IO_TRIM) | IO_BIT(IO_WRITE))) {
		m->trim_turn = !m->trim_turn;
		return m->trim_turn ? IO_WRITE : IO_TRIM;
	}
	return (enum io_op)__builtin_ctz(m->ops);
}
