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

/** A bounded in-memory pipe from one thread to another. Whoever waits too long for the other side fails. */
final class Pipe {
    private static final int PIECES = 4;
    private static final byte[] END = {};

    private final BlockingQueue<byte[]> pieces = new ArrayBlockingQueue<>(PIECES);
    private final Duration patience;
    private final long end;
    private volatile boolean abandoned;
    private volatile @Nullable IOException failure;

    /**
     * @param patience how long a piece is waited for, and how long it waits to be taken
     * @param most how long all of it may take
     */
    Pipe(Duration patience, Duration most) {
        this.patience = patience;
        this.end = System.nanoTime() + most.toNanos();
    }

    /** What is written here is read there; closing it is the end. */
    OutputStream out() {
        return new Out();
    }

    /** Closing it abandons the rest. */
    InputStream in() {
        return new In();
    }

    /** The reader is told that the rest will not come. */
    void fail(IOException why) {
        failure = why;
        pieces.clear();
        pieces.offer(END);
    }

    private void put(byte[] piece) throws IOException {
        long until = Math.min(end, System.nanoTime() + patience.toNanos());
        try {
            while (!abandoned && failure == null && System.nanoTime() < until) {
                if (pieces.offer(piece, 1, TimeUnit.SECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new IOException("it is not read, or not fast enough");
    }

    private byte[] take() throws IOException {
        byte @Nullable [] piece = null;
        try {
            piece = pieces.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        IOException why = failure;
        if (why != null || piece == null) {
            throw new IOException("it is not whole", why);
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
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
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
