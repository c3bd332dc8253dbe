package dev.parley.platform.personal;

import dev.parley.platform.http.Caller;
import io.micronaut.json.JsonMapper;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The ZIP file of an export, streamed entry by entry. */
public final class PersonalArchive implements AutoCloseable {
    private static final Pattern UNSAFE = Pattern.compile("[^a-z0-9_-]");
    private static final int LONGEST = 100;

    private final ZipOutputStream zip;
    private final JsonMapper json;
    private final Caller caller;
    private final SortedMap<String, Long> counts = new TreeMap<>();

    PersonalArchive(OutputStream out, JsonMapper json, Caller caller) {
        this.zip = new ZipOutputStream(out);
        this.json = json;
        this.caller = caller;
    }

    /**
     * Starts an entry, which ends when the stream is closed.
     *
     * @throws IOException also if the caller was removed or the key revoked during the export
     */
    public OutputStream entry(String name) throws IOException {
        return entry(name, Deflater.DEFAULT_COMPRESSION);
    }

    /** Like {@link #entry}, without compression, for content that may be compressed already. */
    public OutputStream bytes(String name) throws IOException {
        return entry(name, Deflater.NO_COMPRESSION);
    }

    private OutputStream entry(String name, int level) throws IOException {
        requireCaller();
        zip.setLevel(level);
        zip.putNextEntry(new ZipEntry(name));
        return new Entry();
    }

    private void requireCaller() throws IOException {
        if (!caller.lasts()) {
            throw new IOException("the caller was removed, or the key was revoked");
        }
    }

    /** Adds an entry with a JSON value. */
    public void json(String name, Object value) throws IOException {
        try (OutputStream out = entry(name)) {
            line(out, value);
        }
    }

    /** Writes a JSON value as a line. */
    public void line(OutputStream entry, Object value) throws IOException {
        requireCaller();
        entry.write(json.writeValueAsBytes(value));
        entry.write('\n');
    }

    /** Adds to a count of the manifest. */
    public void count(String name, long increment) {
        counts.merge(name, increment, Long::sum);
    }

    /** The counts of the manifest. */
    SortedMap<String, Long> counts() {
        return counts;
    }

    /** A file name that is valid and unique on every file system, also on case-insensitive ones. */
    public static String fileName(String text) {
        String safe = UNSAFE.matcher(text.toLowerCase(Locale.ROOT)).replaceAll("_");
        if (safe.equals(text) && text.length() <= LONGEST && !text.isEmpty()) {
            return safe;
        }
        UUID digest = UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
        return safe.substring(0, Math.min(safe.length(), LONGEST)) + "~"
                + digest.toString().replace("-", "");
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }

    /** The stream of an entry. */
    private final class Entry extends FilterOutputStream {
        Entry() {
            super(zip);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            zip.write(bytes, from, length);
        }

        @Override
        public void close() throws IOException {
            zip.closeEntry();
        }
    }
}
