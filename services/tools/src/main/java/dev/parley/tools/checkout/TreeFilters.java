package dev.parley.tools.checkout;

import dev.parley.tools.files.FilePath;
import java.io.IOException;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.treewalk.WorkingTreeIterator;
import org.eclipse.jgit.treewalk.filter.PathFilter;
import org.eclipse.jgit.treewalk.filter.TreeFilter;

/** Which part of trees is looked at. */
final class TreeFilters {
    private TreeFilters() {}

    /** A path as git writes it. @throws CheckoutException where it is not for tools */
    static String pattern(FilePath path) {
        Folders.names(path);
        return path.value().equals("/") ? "." : path.value().substring(1);
    }

    /** Everything in a folder, or one file. */
    static TreeFilter of(FilePath path) {
        String pattern = pattern(path);
        return pattern.equals(".") ? TreeFilter.ALL : PathFilter.create(pattern);
    }

    /** Leaves out what git ignores and does not know. */
    static final class Ignored extends TreeFilter {
        private final int files;

        /** @param files the number of the tree that is the files; those before it are what git knows */
        Ignored(int files) {
            this.files = files;
        }

        @Override
        public boolean include(TreeWalk walk) throws IOException {
            WorkingTreeIterator file = walk.getTree(files, WorkingTreeIterator.class);
            boolean known = false;
            for (int tree = 0; tree < files; tree++) {
                known |= walk.getRawMode(tree) != 0;
            }
            return known || file == null || !file.isEntryIgnored();
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
