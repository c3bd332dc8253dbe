package dev.parley.tools.sandbox.child;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** What parent and child say to each other. Whoever reads trusts no length. */
public final class Message {
    /** The child's first byte: it is warm. */
    public static final int READY = 'R';

    /** Most bytes of arguments, and of an answer. */
    public static final int MOST = 1 << 20;

    /** Most bytes of a script: a module of 1 MiB, in base 64. */
    private static final int MOST_SCRIPT = 3 << 19;

    private Message() {}

    /**
     * A script to be run.
     *
     * @param arguments a JSON object
     * @param fuel instructions that it may take, where the language counts them
     * @param millis after which the child ends by itself
     */
    public record Ask(String script, String arguments, long fuel, int millis) {
        /** Of which no instructions are counted, and which has no time yet. */
        public static Ask of(String script, String arguments) {
            return new Ask(script, arguments, Long.MAX_VALUE, 0);
        }

        /** The same with this many instructions. */
        public Ask fuelled(long most) {
            return new Ask(script, arguments, most, millis);
        }

        /** The same with this time. */
        public Ask within(Duration most) {
            return new Ask(script, arguments, fuel, Math.toIntExact(most.toMillis()));
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
        public static Ask read(DataInputStream in) throws IOException {
            return new Ask(readText(in, MOST_SCRIPT), readText(in, MOST), in.readLong(), in.readInt());
        }
    }

    /**
     * What came of it.
     *
     * @param failed whether the text says why there is no result
     */
    public record Answer(boolean failed, String text) {
        /** A result, unless it is too long. */
        static Answer of(String text) {
            return text.length() > MOST || text.getBytes(StandardCharsets.UTF_8).length > MOST
                    ? new Answer(true, "the result is longer than " + (MOST >> 20) + " MiB")
                    : new Answer(false, text);
        }

        /** Writes it. */
        public void write(DataOutputStream out) throws IOException {
            out.writeBoolean(failed);
            writeText(out, text);
            out.flush();
        }

        /** Reads it. */
        public static Answer read(DataInputStream in) throws IOException {
            return new Answer(in.readBoolean(), readText(in, MOST));
        }
    }

    private static void writeText(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String readText(DataInputStream in, int most) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > most) {
            throw new IOException("a text of " + length + " bytes");
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
