package dev.parley.tools.sandbox.child;

import dev.parley.tools.sandbox.child.SandboxMessage.Request;
import dev.parley.tools.sandbox.child.SandboxMessage.Response;
import java.io.InputStream;
import java.util.Objects;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.SandboxPolicy;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** The interpreter of GraalVM languages. */
final class Polyglot implements ScriptInterpreter {
    private static final int MAX_ERROR = 4_000;

    private final Syntax syntax;
    private final BoundedOutput output;
    private final Engine engine;
    private @Nullable World next;
    private @Nullable World last;

    Polyglot(Syntax syntax, BoundedOutput output) {
        this.syntax = syntax;
        this.output = output;
        this.engine = Engine.newBuilder(syntax.id())
                .sandbox(SandboxPolicy.CONSTRAINED)
                .option("engine.WarnInterpreterOnly", "false")
                .in(InputStream.nullInputStream())
                .out(output)
                .err(output)
                .build();
    }

    /** The context of one run. */
    private record World(Context context, Value caller) {}

    private World world() {
        Context context = Context.newBuilder(syntax.id())
                .engine(engine)
                .sandbox(SandboxPolicy.CONSTRAINED)
                .in(InputStream.nullInputStream())
                .out(output)
                .err(output)
                .build();
        return new World(context, syntax.caller(context));
    }

    @Override
    public void prepare() {
        if (last != null) { // closed only now, so that the answer does not wait for it
            last.context().close();
            last = null;
        }
        next = world();
    }

    @Override
    public Response run(Request request) {
        if (next == null) {
            prepare();
        }
        World world = Objects.requireNonNull(next);
        next = null;
        last = world;
        output.clear();
        try {
            Value result = syntax.run(world.context(), world.caller(), request.script(), request.arguments());
            return Response.of(result.isNull() ? output.text() : result.asString());
        } catch (PolyglotException e) {
            return new Response(true, failure(e));
        }
    }

    @Override
    public void close() {
        engine.close(true);
    }

    private String failure(PolyglotException e) {
        if (e.isExit()) {
            return "the script exits instead of returning a result";
        }
        String message = String.valueOf(e.getMessage());
        if (e.isInternalError()) { // the language supports it, but not this sandbox
            message = "this is not possible here: " + message.replaceFirst("^[\\w.$]+: ", "");
        }
        String brief = message.length() > MAX_ERROR ? message.substring(0, MAX_ERROR) + " …" : message;
        return syntax.line(e).map(line -> brief + " (line " + line + ")").orElse(brief);
    }
}
