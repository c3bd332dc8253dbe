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

/** The ZIP file of an export, written entry by entry. Only the names of the entries are kept in memory. */
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
     * Begins an entry, which ends when the stream is closed.
     *
     * @throws IOException also when the caller was removed, or the key was revoked, while the export was at work
     */
    public OutputStream entry(String name) throws IOException {
        return entry(name, Deflater.DEFAULT_COMPRESSION);
    }

    /** As {@link #entry}, for bytes of which nobody knows whether they can be made smaller. */
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

    /** Adds a value as an entry of JSON. */
    public void json(String name, Object value) throws IOException {
        try (OutputStream out = entry(name)) {
            line(out, value);
        }
    }

    /** Adds a value as a line of JSON. */
    public void line(OutputStream entry, Object value) throws IOException {
        requireCaller();
        entry.write(json.writeValueAsBytes(value));
        entry.write('\n');
    }

    /** Counts what was written, or left out, for the manifest. */
    public void count(String what, long more) {
        counts.merge(what, more, Long::sum);
    }

    /** What was counted. */
    SortedMap<String, Long> counts() {
        return counts;
    }

    /** A name that every file system takes: another one for each text, also where case does not matter. */
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

    /** One entry. */
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
