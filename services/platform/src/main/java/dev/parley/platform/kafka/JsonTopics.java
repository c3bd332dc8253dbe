package dev.parley.platform.kafka;

/** Topics that mirror others as JSON, for consumers without a schema registry. */
public final class JsonTopics {
    /** Suffix of the names of mirrors. */
    public static final String SUFFIX = ".json";

    /** Size of JSON relative to Avro: it has the names of fields, and numbers in digits. */
    private static final int SIZE_FACTOR = 4;

    private JsonTopics() {}

    /** The mirror of a topic, with its cleanup and retention. */
    public static Topic<byte[]> of(Topic<?> source) {
        return new Topic<>(
                source.name() + SUFFIX,
                byte[].class,
                source.key(),
                source.cleanup(),
                source.retention(),
                SIZE_FACTOR * source.maxBytes());
    }

    /** Whether this is the name of a mirror. */
    static boolean isMirror(String name) {
        return name.endsWith(SUFFIX)
                && Topics.find(name.substring(0, name.length() - SUFFIX.length()))
                        .isPresent();
    }
}
