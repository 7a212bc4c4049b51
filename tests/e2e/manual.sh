#!/usr/bin/env bash
# The manual, completion, and what `make install` puts where.
. "$(dirname "$0")/lib.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)

# Every option of the rows is in the manual.
for option in rw bs iodepth write_bw_log percentile_list output-format; do
	check "the manual has $option" grep -q "^\.B \(\\\\-\\\\-\)\?${option//-/\\\\-}" "$top/iodeck.1"
done
if command -v groff >/dev/null; then
	equal 'troff has nothing to say' "$(groff -man -Tutf8 -ww "$top/iodeck.1" 2>&1 >/dev/null)" ''
else
	skip 'no groff'
fi

# Completion as bash calls it; readline splits at '='.
"$IODECK" completion bash >"$dir/c.bash"
complete_of() { # line words...
	bash -c '. "$1"; COMP_LINE=$2 COMP_POINT=${#2}; shift 2; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; }
		_iodeck; echo "${COMPREPLY[@]}"' bash "$dir/c.bash" "$@"
}
equal 'values of rw' "$(complete_of 'iodeck run --rw=randr' iodeck run --rw = randr)" 'randread randrw'
equal 'names' "$(complete_of 'iodeck run --iodepth_l' iodeck run --iodepth_l)" '--iodepth_low='
equal 'a bare word has no =' "$(complete_of 'iodeck run --time_b' iodeck run --time_b)" '--time_based'
equal 'formats of help' "$(complete_of 'iodeck help j' iodeck help j)" json
equal 'first words' "$(complete_of 'iodeck d' iodeck d)" devices
equal 'words of the console' "$(complete_of 'iodeck --de' iodeck --de)" --demo
equal 'words of compare' "$(complete_of 'iodeck run --comp' iodeck run --comp)" --compare
equal 'words of sweep' "$(complete_of 'iodeck sweep --exp' iodeck sweep --exp)" --export-jobs=
equal 'words of devices' "$(complete_of 'iodeck devices --' iodeck devices --)" '--json --all'
for word in 'run \\-\\-compare' '\\-\\-demo' sweep devices 'help' '\\-\\-script' completion; do
	check "the manual has $word" grep -q -- "^\.B[IR]* \"\?\(iodeck \)\?$word" "$top/iodeck.1"
done
# As zsh calls it, with what its completion system gets written down.
if command -v zsh >/dev/null; then
	"$IODECK" completion zsh >"$dir/_iodeck"
	check 'zsh takes its file' zsh -n "$dir/_iodeck"
	zsh_of() { # CURRENT, words...
		zsh -fc 'CURRENT=$2 file=$1; shift 2; words=("$@"); _alternative() { print -rl -- "$@"; }
			_arguments() { print -rl -- "$@"; }; _values() { print -rl -- "$@"; }; source $file' zsh "$dir/_iodeck" "$@"
	}
	has 'zsh: first words' <(zsh_of 2 iodeck '') '(run sweep suite devices history help completion)'
	has 'zsh: values of rw' <(zsh_of 3 iodeck run '') 'rw:(read write trim'
	has 'zsh: words of compare' <(zsh_of 3 iodeck run '') '*--compare['
	has 'zsh: words of sweep' <(zsh_of 3 iodeck sweep '') '*--export-jobs=['
	equal 'zsh: an option for every row' "$(zsh_of 3 iodeck run '' | grep -c '^\*--')" \
		"$(($(grep -o ' --[a-z_-]*' <(sed -n "s/.* words=//p" "$dir/c.bash" | head -n 1) | wc -l) + 2))"
else
	skip 'no zsh'
fi
"$IODECK" completion fish >/dev/null 2>&1; equal 'no such shell' $? 1

if [[ $IODECK == */build/release/iodeck ]] && make -s -C "$top" install PREFIX=/usr DESTDIR="$dir/root" >/dev/null 2>"$dir/err"; then
	for f in bin/iodeck share/man/man1/iodeck.1 share/bash-completion/completions/iodeck share/zsh/site-functions/_iodeck; do
		check "installed: $f" test -s "$dir/root/usr/$f"
	done
	equal 'the installed program runs' "$("$dir/root/usr/bin/iodeck" --version)" "$("$IODECK" --version)"
else
	skip 'install is tried with the release build'
fi
finish
