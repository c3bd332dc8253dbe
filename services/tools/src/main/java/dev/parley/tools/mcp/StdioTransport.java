package dev.parley.tools.mcp;

import dev.parley.tools.mcp.McpServerAddress.Program;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * MCP over the standard input and output of a program, one message per line. Of this process's environment the program
 * gets only the PATH.
 */
final class StdioTransport implements McpTransport {
    /** The operating system's error in messages of {@link ProcessBuilder#start}. */
    private static final Pattern ERROR = Pattern.compile("error[=:] ?\\d+,? ?\\(?([^()]+)");

    private final Program program;
    private volatile @Nullable Process process;
    private volatile @Nullable IOException unstarted;

    StdioTransport(Program program) {
        this.program = program;
    }

    @Override
    public void open(Listener listener) {
        var builder = new ProcessBuilder(program.command()).redirectError(ProcessBuilder.Redirect.DISCARD);
        String path = System.getenv("PATH");
        builder.environment().clear();
        Optional.ofNullable(path).ifPresent(value -> builder.environment().put("PATH", value));
        builder.environment().putAll(program.environment());
        Process started;
        try {
            started = builder.start();
        } catch (IOException e) {
            unstarted = e; // not thrown: the MCP client would only log it
            return;
        }
        process = started;
        Thread.ofVirtual().name("mcp-program").start(() -> read(started.getInputStream(), listener));
    }

    /** The reason without the command's arguments and environment, such as {@code No such file or directory}. */
    private static String reason(IOException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause(); // the outer message repeats the program
        String message = String.valueOf(cause.getMessage());
        Matcher error = ERROR.matcher(message);
        return (error.find() ? error.group(1) : message).strip();
    }

    private void read(InputStream output, Listener listener) {
        try (var in = new BufferedInputStream(output)) {
            for (String line = readLine(in); line != null; line = readLine(in)) {
                if (!line.isBlank()) {
                    listener.onMessage(line);
                }
            }
            listener.onLost(new TransportException(program.label() + " has ended"));
        } catch (IOException e) {
            listener.onLost(e);
        }
    }

    private static @Nullable String readLine(InputStream in) throws IOException {
        var line = new ByteArrayOutputStream();
        int b = in.read();
        while (b >= 0 && b != '\n') {
            if (line.size() == MAX_BYTES) {
                throw new TransportException("the server's answer is longer than " + (MAX_BYTES >> 20) + " MiB");
            }
            line.write(b);
            b = in.read();
        }
        return b < 0 && line.size() == 0 ? null : line.toString(StandardCharsets.UTF_8);
    }

    @Override
    public synchronized void send(Outgoing message) throws IOException {
        IOException failure = unstarted;
        if (failure != null) {
            throw new UnsentException("%s cannot be started: %s".formatted(program.label(), reason(failure)), failure);
        }
        Process running = process;
        if (running == null || !running.isAlive()) {
            throw new UnsentException(program.label() + " has ended");
        }
        // the JSON is one line: the writer escapes line breaks
        running.getOutputStream().write((message.json() + "\n").getBytes(StandardCharsets.UTF_8));
        running.getOutputStream().flush();
    }

    @Override
    public boolean answersAtOnce() {
        return false;
    }

    @Override
    public void abort(Object id) {
        // the server was notified, and may still answer
    }

    @Override
    public void close() {
        Process running = process;
        if (running != null) {
            running.descendants().forEach(ProcessHandle::destroyForcibly);
            running.destroyForcibly();
        }
    }
}
