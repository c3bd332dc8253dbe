package dev.parley.tools.script.child;

import dev.parley.tools.script.child.Message.Answer;
import dev.parley.tools.script.child.Message.Ask;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
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

/**
 * Runs scripts, each in a world of its own. A script has its language and nothing else: no files, network, processes,
 * threads, environment or Java classes. Nothing here ends it, and nothing bounds its memory.
 */
final class Interpreter implements AutoCloseable {
    private static final int LONGEST_ERROR = 4_000;

    private final Language language;
    private final Written written;
    private final Engine engine;

    /** @param flooded is run when a script has printed more than it may; an exception would be the script's, which may go on */
    Interpreter(Language language, Runnable flooded) {
        this.language = language;
        this.written = new Written(flooded);
        this.engine = Engine.newBuilder(language.id())
                .sandbox(SandboxPolicy.CONSTRAINED)
                .option("engine.WarnInterpreterOnly", "false")
                .in(InputStream.nullInputStream())
                .out(written)
                .err(written)
                .build();
    }

    /** Runs one. */
    Answer run(Ask ask) {
        written.clear();
        try (Context context = Context.newBuilder(language.id())
                .engine(engine)
                .sandbox(SandboxPolicy.CONSTRAINED)
                .in(InputStream.nullInputStream())
                .out(written)
                .err(written)
                .build()) {
            Value result = language.run(context, ask.script(), ask.arguments());
            return answer(result.isNull() ? written.text() : result.asString());
        } catch (PolyglotException e) {
            return new Answer(true, words(e));
        }
    }

    @Override
    public void close() {
        engine.close();
    }

    private static Answer answer(String text) {
        return text.length() > Message.MOST || text.getBytes(StandardCharsets.UTF_8).length > Message.MOST
                ? new Answer(true, "the result is longer than " + (Message.MOST >> 20) + " MiB")
                : new Answer(false, text);
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

    /** What a script prints. */
    private static final class Written extends OutputStream {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final Runnable flooded;

        Written(Runnable flooded) {
            this.flooded = flooded;
        }

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public synchronized void write(byte[] b, int from, int length) {
            if (bytes.size() + length > Message.MOST) {
                flooded.run();
            } else {
                bytes.write(b, from, length);
            }
        }

        synchronized void clear() {
            bytes.reset();
        }

        synchronized String text() {
            return bytes.toString(StandardCharsets.UTF_8);
        }
    }
}
