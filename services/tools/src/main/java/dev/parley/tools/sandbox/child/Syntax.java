package dev.parley.tools.sandbox.child;

import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;

/** What a script of a language is given, and what its result is. */
enum Syntax {
    /** The body of a function of {@code args}. Its result is what it returns. */
    JAVASCRIPT("js", "tool.js") {
        @Override
        Value run(Context context, String script, String arguments) {
            Value call = context.eval(id(), """
                    (f, json) => {
                        const result = f(JSON.parse(json));
                        if (typeof result?.then === 'function') {
                            throw new TypeError('a script returns its result, not a promise of it');
                        }
                        return typeof result === 'string' ? result : JSON.stringify(result);
                    }""");
            return call.execute(context.eval(source("(function (args) {" + script + "\n})")), arguments);
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

    Source source(String text) {
        return Source.newBuilder(id, text, file).buildLiteral();
    }

    /** Runs a script; its result is a text, or null where it has none. */
    abstract Value run(Context context, String script, String arguments);
}
