package dev.parley.tools.sandbox.child;

import dev.parley.tools.sandbox.child.Message.Answer;
import dev.parley.tools.sandbox.child.Message.Ask;
import java.io.InputStream;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.SandboxPolicy;
import org.graalvm.polyglot.SourceSection;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** Scripts of the languages of GraalVM. */
final class Polyglot implements Interpreter {
    private static final int LONGEST_ERROR = 4_000;

    private final Syntax syntax;
    private final Written written;
    private final Engine engine;

    Polyglot(Syntax syntax, Written written) {
        this.syntax = syntax;
        this.written = written;
        this.engine = Engine.newBuilder(syntax.id())
                .sandbox(SandboxPolicy.CONSTRAINED)
                .option("engine.WarnInterpreterOnly", "false")
                .in(InputStream.nullInputStream())
                .out(written)
                .err(written)
                .build();
    }

    @Override
    public Answer run(Ask ask) {
        written.clear();
        try (Context context = Context.newBuilder(syntax.id())
                .engine(engine)
                .sandbox(SandboxPolicy.CONSTRAINED)
                .in(InputStream.nullInputStream())
                .out(written)
                .err(written)
                .build()) {
            Value result = syntax.run(context, ask.script(), ask.arguments());
            return Answer.of(result.isNull() ? written.text() : result.asString());
        } catch (PolyglotException e) {
            return new Answer(true, words(e));
        }
    }

    @Override
    public void close() {
        engine.close();
    }

    private static String words(PolyglotException e) {
        String message = String.valueOf(e.getMessage());
        String brief = message.length() > LONGEST_ERROR ? message.substring(0, LONGEST_ERROR) + " …" : message;
        return line(e).map(line -> brief + " (line " + line + ")").orElse(brief);
    }

    private static Optional<Integer> line(PolyglotException e) {
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
