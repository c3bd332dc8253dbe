package dev.parley.platform.projection;

/**
 * Another instance projects the partition, or a replay projects all of them. Nothing was written; projection resumes
 * from the watermark.
 */
public final class MovedException extends Exception {
    private static final long serialVersionUID = 1L;

    public MovedException(String reason) {
        super(reason);
    }
}
