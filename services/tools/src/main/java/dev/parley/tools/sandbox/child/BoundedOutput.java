package dev.parley.tools.sandbox.child;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** The bounded output of a script. */
final class BoundedOutput extends OutputStream {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Runnable flooded;

    /** @param flooded runs when the limit is exceeded; it must not throw, as the script could catch that */
    BoundedOutput(Runnable flooded) {
        this.flooded = flooded;
    }

    @Override
    public void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] b, int from, int length) {
        if (bytes.size() + length > SandboxMessage.MAX_BYTES) {
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
