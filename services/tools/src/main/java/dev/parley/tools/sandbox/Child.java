package dev.parley.tools.sandbox;

import dev.parley.tools.sandbox.child.Message;
import dev.parley.tools.sandbox.child.Message.Answer;
import dev.parley.tools.sandbox.child.Message.Ask;
import dev.parley.tools.sandbox.child.SandboxChild;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that runs one script. */
record Child(Process process) implements AutoCloseable {
    /** As Java's {@code -XX:+ExitOnOutOfMemoryError} has it. */
    private static final int OUT_OF_MEMORY = 3;

    private static final int LONGEST_COMPLAINT = 2_000;

    /** Starts it. It has no environment, and no folder of anybody. */
    static Child start(List<String> command) throws IOException {
        var builder = new ProcessBuilder(command).directory(new File(System.getProperty("java.home")));
        builder.environment().clear();
        return new Child(builder.start());
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Waits until it is warm. @throws IOException where it does not get as far */
    void awaitReady() throws IOException, InterruptedException {
        if (process.getInputStream().read() != Message.READY) {
            end();
            throw new IOException("the JVM of a script does not start: " + complaint());
        }
    }

    /** Runs a script, and waits for that. */
    Answer run(Ask ask) throws InterruptedException {
        try (var in = new DataInputStream(process.getInputStream());
                var out = new DataOutputStream(process.getOutputStream())) {
            ask.write(out);
            return Answer.read(in);
        } catch (IOException e) {
            end();
            return new Answer(true, words());
        }
    }

    /** Lets it end by itself, so that its status says why; not for long. */
    private void end() throws InterruptedException {
        if (!process.waitFor(1, TimeUnit.SECONDS)) {
            close();
            process.waitFor();
        }
    }

    private String words() {
        return switch (process.exitValue()) {
            case OUT_OF_MEMORY -> "the script used more memory than it may";
            case SandboxChild.FLOOD -> "the script printed more than " + (Message.MOST >> 20) + " MiB";
            default -> "the script was ended: it used more time, processor or memory than it may";
        };
    }

    private String complaint() throws IOException {
        return new String(process.getErrorStream().readNBytes(LONGEST_COMPLAINT), StandardCharsets.UTF_8).strip();
    }

    /** Ends it; a process that was started by it, which none can be, too. */
    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
