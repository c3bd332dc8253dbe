package dev.parley.tools.sandbox.child;

import dev.parley.tools.sandbox.child.SandboxMessage.Request;
import dev.parley.tools.sandbox.child.SandboxMessage.Response;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** The main class of a sandbox process, which runs one script. It is started ahead of time and warms up. */
public final class SandboxChild {
    /** Exit status: the process was not used in time. */
    private static final int UNUSED = 0;
    /** Exit status: the script took too long, and the parent did not kill it. */
    public static final int LATE = 4;
    /** Exit status: the script printed more than {@link SandboxMessage#MAX_BYTES} bytes. */
    public static final int FLOOD = 5;

    private static final long IDLE_MINUTES = 10;

    private SandboxChild() {}

    /** @param args the name of the language */
    public static void main(String[] args) throws IOException {
        ScriptLanguage language = ScriptLanguage.valueOf(args[0]);
        var in = new DataInputStream(System.in);
        var out = new DataOutputStream(System.out);
        System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        Thread idle = endAfter(TimeUnit.MINUTES.toMillis(IDLE_MINUTES), UNUSED);
        try (ScriptInterpreter interpreter = language.interpreter(
                new BoundedOutput(() -> Runtime.getRuntime().halt(FLOOD)))) {
            warmUp(interpreter);
            out.write(SandboxMessage.READY);
            out.flush();
            Request request = Request.read(in);
            idle.interrupt();
            endAfter(request.millis(), LATE);
            endWithParent(in);
            interpreter.run(request).write(out);
        }
        Runtime.getRuntime().halt(0); // also ends threads that the script has left running
    }

    private static void warmUp(ScriptInterpreter interpreter) {
        Response empty = interpreter.run(Request.of("", "{}"));
        if (empty.failed()) {
            System.err.println(empty.text()); // the parent reports it
            Runtime.getRuntime().halt(1);
        }
        interpreter.prepare();
    }

    private static Thread endAfter(long millis, int status) {
        return Thread.ofPlatform().daemon().start(() -> {
            try {
                Thread.sleep(millis);
                Runtime.getRuntime().halt(status);
            } catch (InterruptedException e) {
                // the process is used
            }
        });
    }

    /** Ends the script when the parent has died. */
    private static void endWithParent(InputStream in) {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                while (in.read() >= 0) {
                    // there is no further input
                }
            } catch (IOException e) {
                // same as the end of input
            }
            Runtime.getRuntime().halt(LATE);
        });
    }
}
