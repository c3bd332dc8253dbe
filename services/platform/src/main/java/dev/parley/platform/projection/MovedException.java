package dev.parley.platform.projection;

/**
 * Another instance projects the partition, or a replay all of them. Nothing was written; the watermark is where to
 * resume.
 */
public final class MovedException extends Exception {
    private static final long serialVersionUID = 1L;

    public MovedException(String reason) {
        super(reason);
    }
}
