package dev.parley.workflows.json;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/** The items of an array, with their total size. */
public final class Items extends AbstractList<Json> implements RandomAccess {
    private final List<Json> items;
    private final Extent extent;

    Items(List<Json> items) {
        this.items = items;
        extent = Extent.of(items);
    }

    @Override
    public Json get(int index) {
        return items.get(index);
    }

    @Override
    public int size() {
        return items.size();
    }

    Extent extent() {
        return extent;
    }
}
