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

/** Unified diffs, of bounded length. */
final class GitDiff {
    /** Files of which a diff is shown. */
    private static final int MOST_FILES = 300;

    private static final int ROOM = 40_000;
    /** A larger file is only said to differ. */
    private static final int LARGEST = 4 << 20;

    private static final String NOTHING = "No difference.";

    private final Repository repository;
    private final TreeFilter part;

    GitDiff(Repository repository, TreeFilter part) {
        this.repository = repository;
        this.part = part;
    }

    /** Of two trees. */
    String between(AbstractTreeIterator from, AbstractTreeIterator to) throws IOException {
        return shown(from, to, part, "");
    }

    /** Of a tree and the files as they are, new ones that git does not ignore among them. */
    String withFiles(AbstractTreeIterator from) throws IOException {
        List<String> changed = changed(from);
        if (changed.isEmpty()) {
            return NOTHING;
        }
        from.reset();
        List<String> first = changed.subList(0, Math.min(MOST_FILES, changed.size()));
        return shown(
                from,
                new FileTreeIterator(repository),
                PathFilterGroup.createFromStrings(first),
                changed.size() > MOST_FILES ? "[more files differ; name a folder]" : "");
    }

    /** What git has noted of files spares reading most of them. */
    private List<String> changed(AbstractTreeIterator from) throws IOException {
        var changed = new ArrayList<String>();
        try (TreeWalk walk = new TreeWalk(repository)) {
            walk.addTree(from);
            walk.addTree(new DirCacheIterator(repository.readDirCache()));
            var files = new FileTreeIterator(repository);
            walk.addTree(files);
            files.setDirCacheIterator(walk, 1);
            walk.setRecursive(true);
            walk.setFilter(AndTreeFilter.create(part, new TreeFilters.Ignored(2)));
            while (changed.size() <= MOST_FILES && walk.next()) {
                boolean same = walk.getRawMode(0) == walk.getRawMode(2) && walk.idEqual(0, 2);
                if (!same && (walk.getRawMode(0) != 0 || walk.getRawMode(2) != 0)) {
                    changed.add(walk.getPathString());
                }
            }
        }
        return changed;
    }

    private String shown(AbstractTreeIterator from, AbstractTreeIterator to, TreeFilter filter, String note)
            throws IOException {
        var out = new Bounded();
        try (DiffFormatter formatter = new DiffFormatter(out)) {
            formatter.setRepository(repository);
            formatter.setDetectRenames(false);
            formatter.setBinaryFileThreshold(LARGEST);
            formatter.setPathFilter(filter);
            formatter.format(from, to);
            formatter.flush();
        } catch (FullException e) {
            return out.text() + "\n[the diff is longer; name a folder or a file]";
        }
        String text = out.text();
        return text.isEmpty() ? NOTHING : text + note;
    }

    /** There is no room for more. */
    private static final class FullException extends IOException {
        private static final long serialVersionUID = 1;
    }

    private static final class Bounded extends OutputStream {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] more, int offset, int length) throws IOException {
            bytes.write(more, offset, Math.min(length, ROOM - bytes.size()));
            if (bytes.size() >= ROOM) {
                throw new FullException();
            }
        }

        /** What is no text any more at its end, or in a file, is shown as such. */
        String text() {
            return bytes.toString(StandardCharsets.UTF_8).replace("\0", "");
        }
    }
}
