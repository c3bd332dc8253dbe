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

/** What a script of a language is given, and what its result is. */
enum Syntax {
    /** The body of a function of {@code args}. Its result is what it returns. */
    JAVASCRIPT("js", "tool.js") {
        @Override
        Value caller(Context context) {
            return context.eval(id(), """
                    (f, json) => {
                        const result = f(JSON.parse(json));
                        if (typeof result?.then === 'function') {
                            throw new TypeError('a script returns its result, not a promise of it');
                        }
                        return typeof result === 'string' ? result : JSON.stringify(result);
                    }""");
        }

        @Override
        Value run(Context context, Value caller, String script, String arguments) {
            return caller.execute(context.eval(source("(function (args) {" + script + "\n})")), arguments);
        }
    },
    /** The same; a body is put into its function as a tree, so that its lines stay where they are. */
    PYTHON("python", "tool.py") {
        @Override
        Value caller(Context context) {
            return context.eval(id(), """
                    import json, sys

                    def call(script, arguments, name):
                        tree = compile('def tool(args): pass', name, 'exec', 0x400)  # no code yet
                        body = compile(script, name, 'exec', 0x400).body
                        if body:
                            tree.body[0].body = body
                        names = {'__name__': 'tool'}
                        exec(compile(tree, name, 'exec'), names)
                        result = names['tool'](json.loads(arguments))
                        sys.stdout.flush()
                        sys.stderr.flush()
                        if result is None or type(result) is str:
                            return result
                        return json.dumps(result, ensure_ascii=False, allow_nan=False, separators=(',', ':'))

                    call""");
        }

        @Override
        Value run(Context context, Value caller, String script, String arguments) {
            return caller.execute(script, arguments, file());
        }

        // GraalPy says where a function is, its exception where in it.
        @Override
        Optional<Integer> line(PolyglotException e) {
            Optional<Integer> line = Optional.empty();
            try {
                Value at =
                        e.getGuestObject() == null ? null : e.getGuestObject().getMember("__traceback__");
                while (at != null && !at.isNull()) {
                    Value code = at.getMember("tb_frame").getMember("f_code");
                    if (code.getMember("co_filename").asString().equals(file())) {
                        line = Optional.of(at.getMember("tb_lineno").asInt());
                    }
                    at = at.getMember("tb_next");
                }
            } catch (RuntimeException odd) {
                return Optional.empty(); // an exception of the script's own, with something else in these places
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

    /** As the polyglot engine knows it. */
    String id() {
        return id;
    }

    /** What messages call a script. */
    String file() {
        return file;
    }

    Source source(String text) {
        return Source.newBuilder(id, text, file).buildLiteral();
    }

    /** What calls scripts; it is made before there is one. */
    abstract Value caller(Context context);

    /** Runs a script; its result is a text, or null where it has none. */
    abstract Value run(Context context, Value caller, String script, String arguments);

    /** Where in the script an exception is from, as long as its context is open. */
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
