package dev.parley.sessions.archive;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.zip.ZipException;

/** The directory at the end of a ZIP file, which {@link java.util.zip.ZipFile} reads into memory as a whole. */
final class ZipDirectory {
    private static final int END = 0x06054b50;
    private static final int LOCATOR_64 = 0x07064b50;
    private static final int END_64 = 0x06064b50;
    private static final int END_LENGTH = 22;
    private static final int LOCATOR_LENGTH = 20;
    private static final int MAX_COMMENT = 0xffff;

    private ZipDirectory() {}

    /**
     * Checks the size of the directory.
     *
     * @throws ZipException if it has more bytes, or there is none
     */
    static void requireAtMost(long max, Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            long start = Math.max(0, channel.size() - END_LENGTH - MAX_COMMENT - LOCATOR_LENGTH);
            ByteBuffer tail = read(channel, start, (int) (channel.size() - start));
            boolean found = false;
            for (int at = 0; at + END_LENGTH <= tail.limit(); at++) {
                if (tail.getInt(at) == END) { // any that a reader could take for the end
                    found = true;
                    requireAtMost(max, Integer.toUnsignedLong(tail.getInt(at + 12)), channel, tail, at);
                }
            }
            if (!found) {
                throw new ZipException("it has no directory");
            }
        }
    }

    private static void requireAtMost(long max, long size, FileChannel channel, ByteBuffer tail, int end)
            throws IOException {
        int locator = end - LOCATOR_LENGTH;
        long found = size == 0xffffffffL ? 0 : size;
        if (locator >= 0 && tail.getInt(locator) == LOCATOR_64) {
            long position = tail.getLong(locator + 8);
            if (position >= 0 && position + 56 <= channel.size()) {
                ByteBuffer end64 = read(channel, position, 56);
                found = end64.getInt(0) == END_64 ? Math.max(found, end64.getLong(40)) : found;
            }
        }
        if (found > max || found < 0) {
            throw new ZipException("its directory has more than " + max + " bytes");
        }
    }

    private static ByteBuffer read(FileChannel channel, long position, int length) throws IOException {
        var bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining() && channel.read(bytes, position + bytes.position()) >= 0) {
            // until all is read
        }
        return bytes.flip();
    }
}
