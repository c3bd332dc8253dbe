package dev.parley.tools.checkout;

import dev.parley.tools.files.FilePath;
import java.io.IOException;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.treewalk.WorkingTreeIterator;
import org.eclipse.jgit.treewalk.filter.PathFilter;
import org.eclipse.jgit.treewalk.filter.TreeFilter;

/** Filters of git trees by path. */
final class TreeFilters {
    private TreeFilters() {}

    /**
     * A path in the form of git.
     *
     * @throws CheckoutException when it is reserved
     */
    static String pattern(FilePath path) {
        Folders.names(path);
        return path.value().equals("/") ? "." : path.value().substring(1);
    }

    /** A filter for a folder or a file. */
    static TreeFilter of(FilePath path) {
        String pattern = pattern(path);
        return pattern.equals(".") ? TreeFilter.ALL : PathFilter.create(pattern);
    }

    /** Excludes untracked files that git ignores. */
    static final class Ignored extends TreeFilter {
        private final int files;

        /** @param files the index of the working tree; the trees before it are tracked */
        Ignored(int files) {
            this.files = files;
        }

        @Override
        public boolean include(TreeWalk walk) throws IOException {
            WorkingTreeIterator file = walk.getTree(files, WorkingTreeIterator.class);
            boolean tracked = false;
            for (int tree = 0; tree < files; tree++) {
                tracked |= walk.getRawMode(tree) != 0;
            }
            return tracked || file == null || !file.isEntryIgnored();
        }

        @Override
        public boolean shouldBeRecursive() {
            return false;
        }

        @Override
        public TreeFilter clone() {
            return this;
        }
    }
}
