# What the manual of jq defines by other functions.
def map(f): [.[] | f];
def map_values(f): .[] |= f;
def select(f): if f then . else empty end;
def recurse(f): def r: ., (f | r); r;
def recurse(f; cond): def r: ., (f | select(cond) | r); r;
def recurse: recurse(.[]?);
def values: select(. != null);
def nulls: select(. == null);
def booleans: select(type == "boolean");
def numbers: select(type == "number");
def strings: select(type == "string");
def arrays: select(type == "array");
def objects: select(type == "object");
def iterables: select(type == "array" or type == "object");
def scalars: select(type != "array" and type != "object");
def to_entries: [keys_unsorted[] as $k | {key: $k, value: .[$k]}];
def from_entries: reduce .[] as $e ({};
  . + { ($e | (if .key == null then .k // .name // .Name // .K // .Key else .key end)
          | if type == "string" then . elif type == "null" then "null" else tojson end):
        ($e | if has("value") then .value elif has("v") then .v else .Value end) });
def with_entries(f): to_entries | map(f) | from_entries;
def paths: path(..) | select(length > 0);
def paths(f): path(.. | select(f)) | select(length > 0);
def leaf_paths: paths(scalars);
def del(f): delpaths([path(f)]);
def toarray: if type == "array" then . else [.] end;
def pick(f): . as $top | reduce path(f) as $p (null; setpath($p; $top | getpath($p)));
def walk(f): def w: if type == "object" then map_values(w) elif type == "array" then map(w) else . end | f; w;
def first: .[0];
def last: .[-1];
def nth($n): .[$n];
def nth($n; f): if $n < 0 then error("nth doesn't support negative indices") else first(skip($n; f)) end;
def isempty(f): label $done | (f | (false, break $done)), true;
def any: reduce .[] as $x (false; . or $x);
def all: reduce .[] as $x (true; . and $x);
def any(f): isempty(first(.[] | f | select(.))) | not;
def all(f): isempty(first(.[] | f | select(. | not)));
def any(g; f): isempty(first(g | f | select(.))) | not;
def all(g; f): isempty(first(g | f | select(. | not)));
def add(f): reduce f as $x (null; . + $x);
def in($o): . as $k | $o | has($k);
def inside($o): . as $x | $o | contains($x);
def combinations: if length == 0 then [] else .[0][] as $x | (.[1:] | combinations) as $w | [$x] + $w end;
def combinations($n): . as $dot | [range($n)] | map($dot) | combinations;
def ascii: [.] | implode;
def todate: todateiso8601;
def fromdate: fromdateiso8601;
def date: todateiso8601;
def dateadd($u; $n): . + $n;
def datesub($u; $n): . - $n;
def index($i): indices($i) | .[0];
def rindex($i): indices($i) | .[-1:][0];
def join($x): reduce .[] as $i (null;
  (if . == null then "" else . + $x end) + ($i | if type == "null" then "" elif type == "string" then . else tojson end)) // "";
def group_by(f): _group_by(map([f]));
def unique_by(f): [_group_by(map([f]))[] | .[0]];
def unique: unique_by(.);
def sort_by(f): _sort_by(map([f]));
def min_by(f): _min_by(map([f]));
def max_by(f): _max_by(map([f]));
def min: min_by(.);
def max: max_by(.);
def capture($re): capture($re; null);
def capture($re; $flags): match($re; $flags) | [.captures[] | select(.name != null) | {key: .name, value: .string}] | from_entries;
def scan($re): scan($re; null);
def scan($re; $flags): match($re; "g" + $flags) | if (.captures | length) > 0 then [.captures[].string] else .string end;
def match($re): match($re; null);
def test($re): test($re; null);
def splits($re): splits($re; null);
def splits($re; $flags): split($re; $flags) | .[];
def split($re; $flags): . as $s
  | [foreach ((match($re; "g" + $flags) | [.offset, .length]), null) as $m ([0, null];
      if $m == null then [.[0], $s[.[0]:]] else [$m[0] + $m[1], $s[.[0]:$m[0]]] end; .[1])];
def sub($re; f): sub($re; f; "");
def gsub($re; f): sub($re; f; "g");
def gsub($re; f; $flags): sub($re; f; $flags + "g");
def sub($re; f; $flags): . as $in
  | def pieces: [match($re; $flags)] as $found
      | if ($found | length) == 0 then $in
        else reduce $found[] as $m ([0, ""]; . as [$at, $text]
               | [$m.offset + $m.length, $text + $in[$at:$m.offset]
                  + ($m | [.captures[] | select(.name != null) | {key: .name, value: .string}] | from_entries | f)])
             | .[1] + $in[.[0]:]
        end;
    pieces;
def ascii_downcase: _ascii_case(false);
def ascii_upcase: _ascii_case(true);
def abs: if type == "number" and . < 0 then -. else . end;
def have_literal_numbers: true;
def tostream: path(def r: (.[]? | r), .; r) as $p | getpath($p) | reduce path(.[]?) as $q ([$p, .]; [$p + $q]);
def fromstream(f): {x: null, e: false} as $init
  | foreach f as $i ($init;
      if .e then $init else . end
      | if $i | length == 2
        then setpath(["e"]; $i[0] | length == 0) | setpath(["x"] + $i[0]; $i[1])
        else setpath(["e"]; $i[0] | length == 1) end;
      if .e then .x else empty end);
def truncate_stream(f): . as $n | null | f | . as $input | if (.[0] | length) > $n then setpath([0]; .[0][$n:]) else empty end;
def ltrimstr($x): if type == "string" and ($x | type) == "string" and startswith($x) then .[($x | length):] else . end;
def rtrimstr($x): if type == "string" and ($x | type) == "string" and endswith($x) and ($x | length) > 0 then .[:(length - ($x | length))] else . end;
def trimstr($x): ltrimstr($x) | rtrimstr($x);
def transpose: if length == 0 then [] else . as $m | (map(length) | max) as $n | [range($n) as $i | [$m[][$i]]] end;
def flatten: flatten(1e9);
def IN(s): any(s == .; .);
def IN(src; s): any(src == s; .);
def INDEX(stream; f): reduce stream as $row ({}; .[$row | f | tostring] |= $row);
def INDEX(f): INDEX(.[]; f);
