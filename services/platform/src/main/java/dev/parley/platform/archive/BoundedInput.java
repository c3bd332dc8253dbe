package dev.parley.platform.archive;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipException;

/** A stream that throws {@link ZipException} after a number of bytes: compressed bytes do not say how many they become. */
public final class BoundedInput extends FilterInputStream {
    private final String name;
    private final long max;
    private long count;

    /** @param name of the content, for the message */
    public BoundedInput(InputStream in, String name, long max) {
        super(in);
        this.name = name;
        this.max = max;
    }

    @Override
    public int read() throws IOException {
        int read = super.read();
        count(read < 0 ? 0 : 1);
        return read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int read = super.read(bytes, offset, length);
        count(Math.max(0, read));
        return read;
    }

    @Override
    public long skip(long length) throws IOException {
        long skipped = super.skip(length);
        count(skipped);
        return skipped;
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    private void count(long more) throws IOException {
        count += more;
        if (count > max) {
            throw new ZipException(name + " has more than " + max + " bytes");
        }
    }
}
