package dev.parley.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;

/**
 * A request body that costs more than its bytes, or that is not what the route expects.
 *
 * @param type its content type
 */
record HostileBody(String name, String type, byte[] bytes) {
    /** Enough for more values and members than a request may have. */
    private static final int SIZE = 420_000;

    private static final List<HostileBody> ALL = all();

    /** The first kinds, which each route gets. */
    private static final int ALWAYS = 5;

    private static final int OTHERS = 5;

    private static HostileBody json(String name, String text) {
        return new HostileBody(name, "application/json", text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        return name;
    }

    /** A body of this many bytes that is mostly empty lists. */
    static HostileBody wide(int bytes) {
        return json("wide", "{\"a\":[" + "[],".repeat(bytes / 3) + "[]]}");
    }

    /** Those that cost most, and some of the others. */
    static List<HostileBody> some(Random random) {
        var chosen = new ArrayList<>(ALL.subList(0, ALWAYS));
        var others = new ArrayList<>(ALL.subList(ALWAYS, ALL.size()));
        Collections.shuffle(others, random);
        chosen.addAll(others.subList(0, OTHERS));
        return chosen;
    }

    /** One of each kind. */
    private static List<HostileBody> all() {
        var bodies = new ArrayList<>(List.of(
                wide(SIZE),
                json("deep list", "[".repeat(100_000)),
                json("deep object", "{\"a\":".repeat(900) + "1" + "}".repeat(900)),
                json("huge exponent", "{\"name\":1e1000000000,\"limit\":1e999999999,\"a\":1E-99999999999}"),
                json("null", "null"),
                json("deep values", "{\"name\":" + "[".repeat(900) + "]".repeat(900) + "}"),
                json("many members", members()),
                json("huge string", "{\"name\":\"" + "x".repeat(SIZE) + "\"}"),
                json("huge name", "{\"" + "x".repeat(SIZE) + "\":1}"),
                json("huge number", "{\"name\":" + "9".repeat(SIZE / 8) + "}"),
                json("NaN", "{\"name\":NaN,\"limit\":Infinity}"),
                json("byte order mark", "\ufeff{\"name\":\"x\"}"),
                json("lone surrogates", "{\"name\":\"\\ud800\",\"text\":\"\\udc00x\",\"\\ud800\":1}"),
                json("zero characters", "{\"name\":\"a\\u0000b\",\"text\":\"\\u0000\",\"\\u0000\":1}"),
                json("empty", ""),
                json("a text", "\"x\""),
                json("a list", "[]"),
                json("an object", "{}"),
                json("a number", "1e400"),
                json("unfinished", "{\"name\":\"x"),
                json("trailing", "{} {} {}")));
        bodies.addAll(others());
        return bodies;
    }

    private static List<HostileBody> others() {
        byte[] invalid = {'{', '"', 'a', '"', ':', '"', (byte) 0xc3, (byte) 0x28, (byte) 0xff, '"', '}'};
        return List.of(
                new HostileBody("invalid UTF-8", "application/json", invalid),
                new HostileBody("aliases", "application/yaml", aliases().getBytes(StandardCharsets.UTF_8)),
                new HostileBody(
                        "deep YAML", "application/yaml", "[".repeat(20_000).getBytes(StandardCharsets.UTF_8)),
                new HostileBody(
                        "indented YAML", "application/yaml", "- ".repeat(5_000).getBytes(StandardCharsets.UTF_8)),
                new HostileBody("gzip", "application/json", gzip(16 << 20)),
                new HostileBody(
                        "form",
                        "application/x-www-form-urlencoded",
                        "a[b]=1&".repeat(5_000).getBytes(StandardCharsets.UTF_8)),
                new HostileBody(
                        "parts",
                        "multipart/form-data; boundary=x",
                        "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"
                                .repeat(1_000)
                                .getBytes(StandardCharsets.UTF_8)),
                new HostileBody("no type", "x/y", new byte[] {0, 1, 2, (byte) 0xff}));
    }

    private static String members() {
        var text = new StringBuilder("{");
        for (int i = 0; text.length() < SIZE; i++) {
            text.append("\"k").append(i).append("\":1,");
        }
        return text.append("\"z\":1}").toString();
    }

    /** A text of which each line repeats the previous one ten times. */
    private static String aliases() {
        var text = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
        for (int i = 1; i < 10; i++) {
            text.append("a%d: &a%d [%s*a%d]\n".formatted(i, i, ("*a" + (i - 1) + ",").repeat(9), i - 1));
        }
        return text.toString();
    }

    private static byte[] gzip(int size) {
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes)) {
            gzip.write(new byte[size]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
