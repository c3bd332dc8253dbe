package dev.parley.platform.http.limit;

/** Classes of routes by the size of their bodies. */
public enum BodySize {
    /** A few fields: public routes, and requests that have no body as a rule. */
    SMALL(16 << 10),
    /** The usual JSON object: routes without {@link MaxBody}. */
    USUAL(256 << 10),
    /** An update of a chat platform, which is signed and public. */
    WEBHOOK(1 << 20),
    /** Definitions, inputs and events, with all their characters escaped; several updates of a platform. */
    DEFINITION(4 << 20),
    /** A document or a conversation of 1 MiB, with all its characters escaped. */
    DOCUMENT(8 << 20),
    /** A message with its files, a file, a part of an archive. */
    FILES(16 << 20);

    private final int bytes;

    BodySize(int bytes) {
        this.bytes = bytes;
    }

    /** The limit in bytes. */
    public int bytes() {
        return bytes;
    }
}
