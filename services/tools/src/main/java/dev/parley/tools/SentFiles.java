package dev.parley.tools;

import dev.parley.domain.Names;
import dev.parley.domain.content.Block;
import dev.parley.language.text.Clip;
import dev.parley.platform.blob.BlobStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a tool's output, stored in the blob store.
 *
 * @param stored the files that are sent to the user
 * @param notes one line for the model per file
 */
record SentFiles(List<Block.File> stored, List<String> notes) {
    /** Maximum files of one output. */
    static final int MAX_FILES = 10;

    private static final Logger LOG = LoggerFactory.getLogger(SentFiles.class);
    private static final int MAX_NAME = 120;
    private static final Pattern TYPE = Pattern.compile("[\\w.+-]{1,60}/[\\w.+-]{1,60}");

    /** Stores the files, up to the maximum. */
    static SentFiles of(List<ToolOutput.Attachment> files, BlobStore blobs) {
        var stored = new ArrayList<Block.File>();
        var notes = new ArrayList<String>();
        for (ToolOutput.Attachment file : files) {
            String name = name(file.name());
            if (stored.size() == MAX_FILES) {
                notes.add("The file '%s' was not sent: there are at most %d at once.".formatted(name, MAX_FILES));
                continue;
            }
            try {
                BlobStore.Blob blob = blobs.put(new ByteArrayInputStream(file.bytes()));
                stored.add(new Block.File(name, type(file.mimeType()), blob.size(), blob.sha256(), null, null));
                notes.add("The file '%s' (%s, %d bytes) was sent.".formatted(name, type(file.mimeType()), blob.size()));
            } catch (BlobStore.TooLargeException e) {
                notes.add("The file '%s' was not sent: %s.".formatted(name, e.getMessage()));
            } catch (IOException e) {
                LOG.atWarn().setCause(e).log("file of a tool could not be stored");
                notes.add("The file '%s' was not sent: it could not be stored.".formatted(name));
            }
        }
        return new SentFiles(stored, notes);
    }

    private static String name(String name) {
        return Names.ofFile(Clip.end(Names.ofFile(name), MAX_NAME)); // keeps the extension
    }

    private static String type(String mimeType) {
        String plain = mimeType.replaceAll(";.*", "").strip();
        return TYPE.matcher(plain).matches() ? plain : "application/octet-stream";
    }
}
