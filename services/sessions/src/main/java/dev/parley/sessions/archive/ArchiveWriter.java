package dev.parley.sessions.archive;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.domain.Sha256;
import dev.parley.sessions.archive.Manifest.Item;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Writes an archive: a ZIP whose entries are counted and digested on their way. */
final class ArchiveWriter implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int BUFFER = 1 << 16;

    private final ZipOutputStream zip;
    private final List<Item> entries = new ArrayList<>();

    ArchiveWriter(Path file) throws IOException {
        zip = new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER));
        zip.setLevel(Deflater.NO_COMPRESSION); // what is large is compressed already
    }

    /** Begins an entry, which ends when the stream is closed. */
    OutputStream entry(String name) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        return new Digested(name);
    }

    /** Adds JSON. */
    void json(String name, Object value) throws IOException {
        try (OutputStream out = entry(name)) {
            out.write(JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(value));
        }
    }

    /** All that was written. */
    List<Item> entries() {
        return List.copyOf(entries);
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }

    /** One entry. */
    private final class Digested extends FilterOutputStream {
        private final String name;
        private final MessageDigest digest = Sha256.digest();
        private long size;
        private boolean closed;

        Digested(String name) {
            super(zip);
            this.name = name;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            zip.write(bytes, from, length);
            digest.update(bytes, from, length);
            size += length;
        }

        @Override
        public void flush() {
            // the whole archive is flushed at its end
        }

        @Override
        public void close() throws IOException {
            if (!closed) {
                closed = true;
                zip.closeEntry();
                entries.add(new Item(name, HexFormat.of().formatHex(digest.digest()), size));
            }
        }
    }
}
