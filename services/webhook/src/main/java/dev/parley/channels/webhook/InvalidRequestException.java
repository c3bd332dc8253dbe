package dev.parley.channels.webhook;

/** A request that is not valid. */
final class InvalidRequestException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String code;
    private final String sentence;

    /**
     * @param code machine-readable
     * @param sentence what is wrong
     */
    InvalidRequestException(String code, String sentence) {
        super(sentence);
        this.code = code;
        this.sentence = sentence;
    }

    String code() {
        return code;
    }

    String sentence() {
        return sentence;
    }
}
