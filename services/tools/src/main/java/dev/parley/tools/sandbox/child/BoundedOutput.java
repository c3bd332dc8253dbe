package dev.parley.tools.sandbox.child;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** What is printed, bounded. */
final class BoundedOutput extends OutputStream {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Runnable flooded;

    /** @param flooded is run when there is more; an exception would be the script's, which may go on */
    BoundedOutput(Runnable flooded) {
        this.flooded = flooded;
    }

    @Override
    public void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] b, int from, int length) {
        if (bytes.size() + length > Message.MOST) {
            flooded.run();
        } else {
            bytes.write(b, from, length);
        }
    }

    synchronized void clear() {
        bytes.reset();
    }

    synchronized String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
