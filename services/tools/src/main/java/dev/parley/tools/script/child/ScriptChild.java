package dev.parley.tools.script.child;

import dev.parley.tools.script.child.Message.Answer;
import dev.parley.tools.script.child.Message.Ask;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
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
 * Runs one script and ends. It is started before it is needed, and warms up meanwhile. A script has its language and nothing
 * else: no files, network, processes, threads, environment or Java classes.
 */
public final class ScriptChild {
    /** Exit status: nobody asked for anything in time. */
    private static final int UNUSED = 0;
    /** Exit status: the script took too long, and the parent did not end it. */
    public static final int LATE = 4;
    /** Exit status: the script printed more than {@link Message#MOST} bytes. */
    public static final int FLOOD = 5;

    private static final long IDLE_MINUTES = 10;
    private static final int LONGEST_ERROR = 4_000;

    private ScriptChild() {}

    /** @param args the name of the language */
    public static void main(String[] args) throws IOException {
        Language language = Language.valueOf(args[0]);
        var in = new DataInputStream(System.in);
        var out = new DataOutputStream(System.out);
        System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        Thread idle = endAfter(TimeUnit.MINUTES.toMillis(IDLE_MINUTES), UNUSED);
        var written = new Written();
        try (Engine engine = engine(language, written)) {
            run(engine, language, new Ask("", "{}", 0), written);
            out.write(Message.READY);
            out.flush();
            Ask ask = Ask.read(in);
            idle.interrupt();
            endAfter(ask.millis(), LATE);
            endWithParent(in);
            run(engine, language, ask, written).write(out);
        }
        Runtime.getRuntime().halt(0); // whatever the script has left running
    }

    private static Engine engine(Language language, Written written) {
        return Engine.newBuilder(language.id())
                .sandbox(SandboxPolicy.CONSTRAINED)
                .option("engine.WarnInterpreterOnly", "false")
                .in(InputStream.nullInputStream())
                .out(written)
                .err(written)
                .build();
    }

    private static Answer run(Engine engine, Language language, Ask ask, Written written) {
        try (Context context = Context.newBuilder(language.id())
                .engine(engine)
                .sandbox(SandboxPolicy.CONSTRAINED)
                .in(new ByteArrayInputStream(new byte[0]))
                .out(written)
                .err(written)
                .build()) {
            Value result = language.run(context, ask.script(), ask.arguments());
            return answer(result.isNull() ? written.text() : result.asString());
        } catch (PolyglotException e) {
            return new Answer(true, words(e));
        }
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

    // ---- ends

    private static Thread endAfter(long millis, int status) {
        return Thread.ofPlatform().daemon().start(() -> {
            try {
                Thread.sleep(millis);
                Runtime.getRuntime().halt(status);
            } catch (InterruptedException e) {
                // it is needed
            }
        });
    }

    /** Nobody else ends a script whose parent has died. */
    private static void endWithParent(InputStream in) {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                while (in.read() >= 0) {
                    // nothing more is said
                }
            } catch (IOException e) {
                // as good as its end
            }
            Runtime.getRuntime().halt(LATE);
        });
    }

    /** What the script prints, up to a limit that it does not outlive. */
    private static final class Written extends OutputStream {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public synchronized void write(byte[] b, int from, int length) {
            if (bytes.size() + length > Message.MOST) {
                Runtime.getRuntime().halt(FLOOD); // an exception would be the script's, which may go on
            }
            bytes.write(b, from, length);
        }

        synchronized String text() {
            return bytes.toString(StandardCharsets.UTF_8);
        }
    }
}
