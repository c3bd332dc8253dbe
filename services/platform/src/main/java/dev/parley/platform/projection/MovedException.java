package dev.parley.platform.projection;

/** Somebody else projects a partition now, or a replay all of them: nothing was written, and the watermark says where to go on. */
public final class MovedException extends Exception {
    private static final long serialVersionUID = 1L;

    public MovedException(String why) {
        super(why);
    }
}
