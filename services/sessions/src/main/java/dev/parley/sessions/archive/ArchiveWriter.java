package dev.parley.sessions.archive;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.domain.Sha256;
import dev.parley.platform.json.JsonMappers;
import dev.parley.sessions.archive.Manifest.Item;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Writes an archive: a ZIP file, whose entries are digested while they are written. */
final class ArchiveWriter implements AutoCloseable {
    private static final ObjectMapper JSON = JsonMappers.stored();
    private static final int BUFFER = 1 << 16;

    private final ZipOutputStream zip;
    private final List<Item> entries = new ArrayList<>();

    ArchiveWriter(Path file) throws IOException {
        zip = new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER));
        zip.setLevel(Deflater.NO_COMPRESSION); // large entries are compressed already
    }

    /** Begins an entry, which ends when the stream is closed. */
    OutputStream entry(String name) throws IOException {
        var entry = new ZipEntry(name);
        zip.putNextEntry(entry);
        return new Entry(entry);
    }

    /** Adds a JSON entry. */
    void json(String name, Object value) throws IOException {
        try (OutputStream out = entry(name)) {
            out.write(JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(value));
        }
    }

    /** The entries written so far. */
    List<Item> entries() {
        return List.copyOf(entries);
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }

    /** Digests an entry; closing it leaves the archive open. */
    private final class Entry extends DigestOutputStream {
        private final ZipEntry entry;
        private boolean closed;

        Entry(ZipEntry entry) {
            super(zip, Sha256.digest());
            this.entry = entry;
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
                String sha256 = HexFormat.of().formatHex(getMessageDigest().digest());
                entries.add(new Item(entry.getName(), sha256, entry.getSize()));
            }
        }
    }
}
