package dev.parley.tools.sandbox.child;

import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.SourceSection;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The convention of a language: calls of scripts and conversion of their results.
 *
 * <p>A number that the language's own type cannot hold is an object that keeps its digits: its text and its JSON are
 * exact, and one calculates with the nearest number. In JSON that a language writes, it is a text after a mark until it
 * leaves the caller.
 */
enum Syntax {
    /** A script is the body of a function of {@code args}, which returns the result. */
    JAVASCRIPT("js", "tool.js") {
        @Override
        Value caller(Context context) {
            return context.eval(id(), """
                (() => {
                    const mark = 'exact number:' + Math.random() + ':';
                    const marked = new RegExp('"' + mark.replaceAll('.', '[.]') + '([^"]*)"', 'g');
                    const token = /"(?:[^"\\\\]|\\\\.)*"|-?\\d+(?:[.]\\d+)?(?:[eE][+-]?\\d+)?/g;
                    class Exact {
                        #text;
                        constructor(text) { this.#text = text; }
                        toString() { return this.#text; }
                        toJSON() { return mark + this.#text; }
                        valueOf() { return Number(this.#text); }
                    }
                    const digits = text => {
                        const [, whole, fraction, power] = /^-?(\\d+)(?:[.](\\d+))?(?:e(.+))?$/i.exec(text);
                        const all = (whole + (fraction ?? '')).replace(/^0+/, '');
                        const kept = all.replace(/0+$/, '');
                        return kept + 'e' + (kept === '' ? 0
                            : Number(power ?? 0) - (fraction ?? '').length + all.length - kept.length);
                    };
                    const isExact = text => {
                        const number = Number(text);
                        return Number.isFinite(number) && digits(text) === digits(String(number));
                    };
                    const parse = json => !/[\\d.]{16}/.test(json) ? JSON.parse(json) : JSON.parse(
                        json.replace(token, part => part[0] === '"' || part.length < 16 || isExact(part)
                            ? part : '"' + mark + part + '"'),
                        (_, value) => typeof value === 'string' && value.startsWith(mark)
                            ? new Exact(value.slice(mark.length)) : value);
                    return (f, json) => {
                        const result = f(parse(json));
                        if (typeof result?.then === 'function') {
                            throw new TypeError('a script returns its result, not a promise of it');
                        }
                        const text = typeof result === 'string' ? result : JSON.stringify(result);
                        return text?.replace(marked, '$1');
                    };
                })()\
                """);
        }

        @Override
        Value run(Context context, Value caller, String script, String arguments) {
            return caller.execute(context.eval(source("(function (args) {" + script + "\n})")), arguments);
        }
    },
    /** A script is the body of a function of {@code args}, inserted as a syntax tree, so that line numbers are kept. */
    PYTHON("python", "tool.py") {
        @Override
        Value caller(Context context) {
            return context.eval(id(), """
                import json, re, sys

                class Exact(float):
                    def __new__(cls, text):
                        number = float.__new__(cls, text)
                        number.text = text
                        return number
                    def __repr__(self):
                        return self.text
                    __str__ = __repr__
                    def __format__(self, form):
                        return format(float(self), form) if form else self.text

                def number(text):
                    value = float(text)
                    if len(text) < 16:
                        return value
                    import decimal  # seldom needed
                    return value if decimal.Decimal(repr(value)) == decimal.Decimal(text) else Exact(text)

                def marked(value):
                    if type(value) is Exact:
                        return mark + value.text
                    if type(value) is dict:
                        return {(k.text if type(k) is Exact else k): marked(v) for k, v in value.items()}
                    return [marked(v) for v in value] if type(value) in (list, tuple) else value

                mark = 'exact number:' + str(id(Exact)) + ':'
                exact = re.compile('"' + mark + '([^"]*)"')

                def call(script, arguments, name):
                    tree = compile('def tool(args): pass', name, 'exec', 0x400)  # no code yet
                    body = compile(script, name, 'exec', 0x400).body
                    if body:
                        tree.body[0].body = body
                    names = {'__name__': 'tool'}
                    exec(compile(tree, name, 'exec'), names)
                    result = names['tool'](json.loads(arguments, parse_float=number))
                    sys.stdout.flush()
                    sys.stderr.flush()
                    if result is None or type(result) is str:
                        return result
                    text = json.dumps(marked(result), ensure_ascii=False, allow_nan=False, separators=(',', ':'))
                    return exact.sub(lambda found: found.group(1), text)

                call\
                """);
        }

        @Override
        Value run(Context context, Value caller, String script, String arguments) {
            return caller.execute(script, arguments, file());
        }

        // GraalPy reports only the line of the function; the exception has the line within it.
        @Override
        Optional<Integer> line(PolyglotException e) {
            Optional<Integer> line = Optional.empty();
            try {
                Value traceback =
                        e.getGuestObject() == null ? null : e.getGuestObject().getMember("__traceback__");
                while (traceback != null && !traceback.isNull()) {
                    Value code = traceback.getMember("tb_frame").getMember("f_code");
                    if (code.getMember("co_filename").asString().equals(file())) {
                        line = Optional.of(traceback.getMember("tb_lineno").asInt());
                    }
                    traceback = traceback.getMember("tb_next");
                }
            } catch (RuntimeException ignored) {
                return Optional.empty(); // a custom exception with other members
            }
            return line;
        }
    };

    private final String id;
    private final String file;

    Syntax(String id, String file) {
        this.id = id;
        this.file = file;
    }

    /** The id of the language in the polyglot engine. */
    String id() {
        return id;
    }

    /** The file name of a script in messages. */
    String file() {
        return file;
    }

    Source source(String text) {
        return Source.newBuilder(id, text, file).buildLiteral();
    }

    /** The function that calls scripts, created ahead of time. */
    abstract Value caller(Context context);

    /** Runs a script; returns a text, or null without a result. */
    abstract Value run(Context context, Value caller, String script, String arguments);

    /** The line of an exception in the script, while its context is open. */
    Optional<Integer> line(PolyglotException e) {
        Stream<@Nullable SourceSection> places = StreamSupport.stream(
                        e.getPolyglotStackTrace().spliterator(), false)
                .filter(PolyglotException.StackFrame::isGuestFrame)
                .map(PolyglotException.StackFrame::getSourceLocation);
        return Stream.concat(Stream.ofNullable(e.getSourceLocation()), places)
                .flatMap(Stream::ofNullable)
                .filter(SourceSection::hasLines)
                .map(SourceSection::getStartLine)
                .findFirst();
    }
}
