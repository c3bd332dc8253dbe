package dev.parley.tools.sandbox;

import dev.parley.tools.sandbox.child.SandboxChild;
import dev.parley.tools.sandbox.child.SandboxMessage;
import dev.parley.tools.sandbox.child.SandboxMessage.Request;
import dev.parley.tools.sandbox.child.SandboxMessage.Response;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The process of one script. */
record SandboxProcess(Process process) implements AutoCloseable {
    /** The exit status of {@code -XX:+ExitOnOutOfMemoryError}. */
    private static final int OUT_OF_MEMORY = 3;

    private static final int MAX_ERROR_OUTPUT = 2_000;

    /** Starts a process with an empty environment, in a folder without user data. */
    static SandboxProcess start(List<String> command) throws IOException {
        var builder = new ProcessBuilder(command).directory(new File(System.getProperty("java.home")));
        builder.environment().clear();
        return new SandboxProcess(builder.start());
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Waits until the process is ready.
     *
     * @throws IOException when it fails to start
     */
    void awaitReady() throws IOException, InterruptedException {
        if (process.getInputStream().read() != SandboxMessage.READY) {
            end();
            throw new IOException("the JVM of a script does not start: " + errorOutput());
        }
    }

    /** Runs a script and waits for its response. */
    Response run(Request request) throws InterruptedException {
        try (var in = new DataInputStream(process.getInputStream());
                var out = new DataOutputStream(process.getOutputStream())) {
            request.write(out);
            return Response.read(in);
        } catch (IOException e) {
            end();
            return new Response(true, failure());
        }
    }

    /** Waits up to 1 s for the process to end, so that its exit status has the cause; then kills it. */
    private void end() throws InterruptedException {
        if (!process.waitFor(1, TimeUnit.SECONDS)) {
            close();
            process.waitFor();
        }
    }

    private String failure() {
        return switch (process.exitValue()) {
            case OUT_OF_MEMORY -> "the script used more memory than it may";
            case SandboxChild.FLOOD -> "the script printed more than " + (SandboxMessage.MAX_BYTES >> 20) + " MiB";
            default -> "the script was ended: it used more time, processor or memory than it may";
        };
    }

    private String errorOutput() throws IOException {
        return new String(process.getErrorStream().readNBytes(MAX_ERROR_OUTPUT), StandardCharsets.UTF_8).strip();
    }

    /** Kills the process, and its descendants as a precaution. */
    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
