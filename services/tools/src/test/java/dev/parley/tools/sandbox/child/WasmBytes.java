package dev.parley.tools.sandbox.child;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Modules of WebAssembly, put together byte by byte: memory, {@code alloc} and {@code run}, as tools have them. */
@SuppressWarnings("MutablePublicArray") // taken as they are by the tests of this module
public final class WasmBytes {
    /** Returns its arguments. */
    public static final int[] ECHO = {0x20, 0, 0xAD, 0x42, 32, 0x86, 0x20, 1, 0xAD, 0x84};
    /** {@code loop br 0 end} */
    public static final int[] ENDLESS = {0x03, 0x40, 0x0C, 0, 0x0B, 0x42, 0};
    /** {@code unreachable} */
    public static final int[] TRAP = {0x00};
    /** Grows the memory as long as that works, and returns as many zeros as there are pages. */
    public static final int[] GREEDY = {0x03, 0x40, 0x41, 1, 0x40, 0, 0x41, 0x7F, 0x47, 0x0D, 0, 0x0B, 0x3F, 0, 0xAD};
    /** Calls the first import with its arguments, and returns nothing. */
    public static final int[] LOG = {0x20, 0, 0x20, 1, 0x10, 0, 0x42, 0};
    /** Calls itself: it is the second function where nothing is imported. */
    public static final int[] RECURSIVE = {0x20, 0, 0x20, 1, 0x10, 1};

    private static final int[] ALLOC = {0x41, 16};

    private WasmBytes() {}

    /** A module with one page of memory, which imports nothing. */
    public static byte[] module(int... run) {
        return module(null, null, 1, run);
    }

    /** A module that imports a function of two numbers if {@code from} is set. */
    public static byte[] module(String from, String name, int pages, int... run) {
        int imported = from == null ? 0 : 1;
        var module = new ByteArrayOutputStream();
        module.writeBytes(new byte[] {0, 'a', 's', 'm', 1, 0, 0, 0});
        // (i32) -> i32, (i32, i32) -> i64, (i32, i32) -> ()
        section(module, 1, bytes(3, 0x60, 1, 0x7F, 1, 0x7F, 0x60, 2, 0x7F, 0x7F, 1, 0x7E, 0x60, 2, 0x7F, 0x7F, 0));
        if (from != null) {
            section(module, 2, join(bytes(1), text(from), text(name), bytes(0, 2)));
        }
        section(module, 3, bytes(2, 0, 1));
        section(module, 5, join(bytes(1, 0), number(pages)));
        section(
                module,
                7,
                join(
                        bytes(3),
                        text("memory"),
                        bytes(2, 0),
                        text("alloc"),
                        bytes(0, imported),
                        text("run"),
                        bytes(0, imported + 1)));
        section(module, 10, join(bytes(2), code(ALLOC), code(run)));
        return module.toByteArray();
    }

    /** A module in base 64, as in definitions. */
    public static String base64(byte[] module) {
        return Base64.getEncoder().encodeToString(module);
    }

    private static byte[] code(int... instructions) {
        byte[] body = join(bytes(0), bytes(instructions), bytes(0x0B));
        return join(number(body.length), body);
    }

    private static byte[] text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return join(number(bytes.length), bytes);
    }

    private static void section(ByteArrayOutputStream module, int id, byte[] content) {
        module.write(id);
        module.writeBytes(number(content.length));
        module.writeBytes(content);
    }

    /** LEB128 */
    private static byte[] number(int value) {
        var bytes = new ByteArrayOutputStream();
        int remaining = value;
        while (remaining >= 0x80) {
            bytes.write(remaining & 0x7F | 0x80);
            remaining >>>= 7;
        }
        bytes.write(remaining);
        return bytes.toByteArray();
    }

    private static byte[] bytes(int... values) {
        var bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    private static byte[] join(byte[]... parts) {
        var joined = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            joined.writeBytes(part);
        }
        return joined.toByteArray();
    }
}
