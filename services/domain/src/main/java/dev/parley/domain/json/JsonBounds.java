package dev.parley.domain.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.InputStream;

/**
 * What a JSON text may cost. A value in memory takes up to 60 times its bytes, and readers of nested values are
 * recursive; therefore every reader is made here or, for objects, by {@code JsonMappers} of the platform, and a test
 * fails where another one is made.
 */
public final class JsonBounds {
    /** Maximum characters of the name of a member. */
    public static final int MAX_NAME = 50_000;

    /** Maximum characters of a number. */
    public static final int MAX_NUMBER = 1_000;

    /** Maximum characters of a string: as many as the largest request has bytes. */
    private static final int MAX_STRING = 20_000_000;

    /** What a caller, a model or another system sends. Read, it takes at most 64 MiB beside its strings. */
    public static final JsonBounds REQUEST = new JsonBounds(128, 200_000, 20_000, 400, MAX_STRING);

    /** A model's answer in JSON. */
    public static final JsonBounds ANSWER = new JsonBounds(20, 200_000, 20_000, 400, MAX_STRING);

    /** A value of a workflow, which grows while it runs. */
    public static final JsonBounds WORKFLOW = new JsonBounds(500, 1_000_000, 500_000, 400, MAX_STRING);

    /** An answer of a model provider: few values, of which one can be a large image. Its numbers stay text. */
    public static final JsonBounds PROVIDER = new JsonBounds(500, 500_000, 100_000, Integer.MAX_VALUE, 64 << 20);

    /** What Parley wrote, and answers of services that an operator chose. */
    public static final JsonBounds STORED = new JsonBounds(1_000, 2_000_000, 500_000, 99_999, MAX_STRING);

    private final int depth;
    private final int tokens;
    private final int members;
    private final int exponent;
    private final int string;
    private final JsonFactory factory;

    private JsonBounds(int depth, int tokens, int members, int exponent, int string) {
        this.depth = depth;
        this.tokens = tokens;
        this.members = members;
        this.exponent = exponent;
        this.string = string;
        this.factory = new BoundedJsonFactory(this);
    }

    /** Maximum nesting of arrays and objects. */
    public int depth() {
        return depth;
    }

    /** Maximum number of values, names, and brackets. */
    public int tokens() {
        return tokens;
    }

    /** Maximum number of members of one object. */
    public int members() {
        return members;
    }

    /** Maximum exponent of a number: without it a number of ten characters is one of a billion digits. */
    public int exponent() {
        return exponent;
    }

    /** Maximum characters of a string. */
    public int string() {
        return string;
    }

    /** A factory whose parsers throw {@link JsonBoundsException} beyond these bounds. */
    public JsonFactory factory() {
        return factory;
    }

    /**
     * Reads a text to its end without keeping anything of it.
     *
     * @throws IOException if it is not valid JSON, or beyond these bounds
     */
    public void check(InputStream json) throws IOException {
        try (JsonParser parser = factory.createParser(json)) {
            while (parser.nextToken() != null) {
                // the parser counts
            }
        }
    }

    /** The bounds that the parsers of Jackson check by themselves; slightly wider, where ours has the better message. */
    public StreamReadConstraints constraints() {
        return StreamReadConstraints.builder()
                .maxNestingDepth(depth + 1)
                .maxTokenCount(tokens + 1L)
                .maxNameLength(MAX_NAME)
                .maxNumberLength(MAX_NUMBER)
                .maxStringLength(string)
                .build();
    }
}
