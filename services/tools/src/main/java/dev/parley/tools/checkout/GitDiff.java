package dev.parley.tools.checkout;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jgit.diff.DiffFormatter;
import org.eclipse.jgit.dircache.DirCacheIterator;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.treewalk.AbstractTreeIterator;
import org.eclipse.jgit.treewalk.FileTreeIterator;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.treewalk.filter.AndTreeFilter;
import org.eclipse.jgit.treewalk.filter.PathFilterGroup;
import org.eclipse.jgit.treewalk.filter.TreeFilter;

/** Unified diffs of bounded length. */
record GitDiff(Repository repository, TreeFilter part) {
    /** Maximum files of a diff. */
    private static final int MAX_FILES = 300;

    private static final int MAX_BYTES = 40_000;
    /** Larger files are only reported as different. */
    private static final int MAX_FILE_BYTES = 4 << 20;

    private static final String NOTHING = "No difference.";

    /** The diff of two trees. */
    String between(AbstractTreeIterator from, AbstractTreeIterator to) throws IOException {
        return formatDiff(from, to, part, "");
    }

    /** The diff of a tree and the working tree, including new files that are not ignored. */
    String withFiles(AbstractTreeIterator from) throws IOException {
        List<String> changed = changedFiles(from);
        if (changed.isEmpty()) {
            return NOTHING;
        }
        from.reset();
        List<String> first = changed.subList(0, Math.min(MAX_FILES, changed.size()));
        return formatDiff(
                from,
                new FileTreeIterator(repository),
                PathFilterGroup.createFromStrings(first),
                changed.size() > MAX_FILES ? "[more files differ; name a folder]" : "");
    }

    /** The changed files. The index avoids reading most of them. */
    private List<String> changedFiles(AbstractTreeIterator from) throws IOException {
        var changed = new ArrayList<String>();
        try (TreeWalk walk = new TreeWalk(repository)) {
            walk.addTree(from);
            walk.addTree(new DirCacheIterator(repository.readDirCache()));
            var files = new FileTreeIterator(repository);
            walk.addTree(files);
            files.setDirCacheIterator(walk, 1);
            walk.setRecursive(true);
            walk.setFilter(AndTreeFilter.create(part, new TreeFilters.Ignored(2)));
            while (changed.size() <= MAX_FILES && walk.next()) {
                boolean unchanged = walk.getRawMode(0) == walk.getRawMode(2) && walk.idEqual(0, 2);
                if (!unchanged && (walk.getRawMode(0) != 0 || walk.getRawMode(2) != 0)) {
                    changed.add(walk.getPathString());
                }
            }
        }
        return changed;
    }

    private String formatDiff(AbstractTreeIterator from, AbstractTreeIterator to, TreeFilter filter, String note)
            throws IOException {
        var out = new Bounded();
        try (DiffFormatter formatter = new DiffFormatter(out)) {
            formatter.setRepository(repository);
            formatter.setDetectRenames(false);
            formatter.setBinaryFileThreshold(MAX_FILE_BYTES);
            formatter.setPathFilter(filter);
            formatter.format(from, to);
            formatter.flush();
        } catch (FullException e) {
            return out.text() + "\n[the diff is longer; name a folder or a file]";
        }
        String text = out.text();
        return text.isEmpty() ? NOTHING : text + note;
    }

    /** The maximum length is reached. */
    private static final class FullException extends IOException {
        private static final long serialVersionUID = 1;
    }

    private static final class Bounded extends OutputStream {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] buffer, int offset, int length) throws IOException {
            bytes.write(buffer, offset, Math.min(length, MAX_BYTES - bytes.size()));
            if (bytes.size() >= MAX_BYTES) {
                throw new FullException();
            }
        }

        /** The text; invalid characters are replaced. */
        String text() {
            return bytes.toString(StandardCharsets.UTF_8).replace("\0", "");
        }
    }
}
