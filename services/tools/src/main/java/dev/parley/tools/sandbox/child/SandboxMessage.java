package dev.parley.tools.sandbox.child;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The messages between parent and child. Readers check all lengths. */
public final class SandboxMessage {
    /** The child's first byte: it is ready. */
    public static final int READY = 'R';

    /** Maximum bytes of arguments, and of a response. */
    public static final int MAX_BYTES = 1 << 20;

    /** Maximum bytes of a script: a module of 1 MiB, in Base64. */
    private static final int MAX_SCRIPT = 3 << 19;

    private SandboxMessage() {}

    /**
     * The request to run a script.
     *
     * @param arguments a JSON object
     * @param fuel the maximum instructions, for languages that count them
     * @param millis the time after which the child exits
     */
    public record Request(String script, String arguments, long fuel, int millis) {
        /** A request without limits yet. */
        public static Request of(String script, String arguments) {
            return new Request(script, arguments, Long.MAX_VALUE, 0);
        }

        /** A copy of the request with this maximum of instructions. */
        public Request withFuel(long max) {
            return new Request(script, arguments, max, millis);
        }

        /** A copy of the request with this time limit. */
        public Request within(Duration max) {
            return new Request(script, arguments, fuel, Math.toIntExact(max.toMillis()));
        }

        /** Writes it. */
        public void write(DataOutputStream out) throws IOException {
            writeText(out, script);
            writeText(out, arguments);
            out.writeLong(fuel);
            out.writeInt(millis);
            out.flush();
        }

        /** Reads it. */
        public static Request read(DataInputStream in) throws IOException {
            return new Request(readText(in, MAX_SCRIPT), readText(in, MAX_BYTES), in.readLong(), in.readInt());
        }
    }

    /**
     * The response to a request.
     *
     * @param failed whether the text is an error
     */
    public record Response(boolean failed, String text) {
        /** A result, or an error if it is too long. */
        static Response of(String text) {
            return text.length() > MAX_BYTES || text.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES
                    ? new Response(true, "the result is longer than " + (MAX_BYTES >> 20) + " MiB")
                    : new Response(false, text);
        }

        /** Writes it. */
        public void write(DataOutputStream out) throws IOException {
            out.writeBoolean(failed);
            writeText(out, text);
            out.flush();
        }

        /** Reads it. */
        public static Response read(DataInputStream in) throws IOException {
            return new Response(in.readBoolean(), readText(in, MAX_BYTES));
        }
    }

    private static void writeText(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String readText(DataInputStream in, int max) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > max) {
            throw new IOException("a text of " + length + " bytes");
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
