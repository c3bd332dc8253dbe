package dev.parley.platform.kafka;

/** Topics that mirror others as JSON, for consumers without a schema registry. */
public final class JsonTopics {
    /** What the name of a mirror ends with. */
    public static final String SUFFIX = ".json";

    /** JSON says each field's name and every number in digits. */
    private static final int LARGER = 4;

    private JsonTopics() {}

    /** The mirror of a topic: records go from it as they go from its source. */
    public static Topic<byte[]> of(Topic<?> source) {
        return new Topic<>(
                source.name() + SUFFIX,
                byte[].class,
                source.key(),
                source.cleanup(),
                source.retention(),
                LARGER * source.maxBytes());
    }

    /** Whether a topic of this name is a mirror, or would be. */
    static boolean isMirror(String name) {
        return name.endsWith(SUFFIX)
                && Topics.find(name.substring(0, name.length() - SUFFIX.length()))
                        .isPresent();
    }
}
