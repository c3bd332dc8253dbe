package dev.parley.platform.personal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A bounded in-memory pipe from one thread to another. A side that waits too long for the other one fails. */
final class Pipe {
    private static final int PIECES = 4;
    private static final byte[] END = {};

    private final BlockingQueue<byte[]> pieces = new ArrayBlockingQueue<>(PIECES);
    private final Duration timeout;
    private final long end;
    private volatile boolean abandoned;
    private volatile @Nullable IOException failure;

    /**
     * @param timeout of reading and of writing a piece
     * @param total timeout of the whole transfer
     */
    Pipe(Duration timeout, Duration total) {
        this.timeout = timeout;
        this.end = System.nanoTime() + total.toNanos();
    }

    /** The writing side; closing it ends the content. */
    OutputStream out() {
        return new Out();
    }

    /** The reading side; closing it abandons the rest. */
    InputStream in() {
        return new In();
    }

    /** Makes reading fail. */
    void fail(IOException cause) {
        failure = cause;
        pieces.clear();
        pieces.offer(END);
    }

    private void put(byte[] piece) throws IOException {
        long deadline = Math.min(end, System.nanoTime() + timeout.toNanos());
        try {
            while (!abandoned && failure == null && System.nanoTime() < deadline) {
                if (pieces.offer(piece, 1, TimeUnit.SECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new IOException("the reader is too slow or absent");
    }

    private byte[] take() throws IOException {
        byte @Nullable [] piece = null;
        try {
            piece = pieces.poll(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        IOException cause = failure;
        if (cause != null || piece == null) {
            throw new IOException("it is not whole", cause);
        }
        return piece;
    }

    private final class Out extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            if (length > 0) {
                put(Arrays.copyOfRange(bytes, from, from + length));
            }
        }

        @Override
        public void close() throws IOException {
            put(END);
        }
    }

    private final class In extends InputStream {
        private byte[] piece = {};
        private int at;
        private boolean ended;

        @Override
        public int read() throws IOException {
            byte[] single = new byte[1];
            return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            if (at == piece.length && !ended) {
                piece = take();
                at = 0;
                ended = piece.length == 0;
            }
            if (ended) {
                return -1;
            }
            int n = Math.min(length, piece.length - at);
            System.arraycopy(piece, at, into, from, n);
            at += n;
            return n;
        }

        @Override
        public void close() {
            abandoned = true;
            pieces.clear();
        }
    }
}
