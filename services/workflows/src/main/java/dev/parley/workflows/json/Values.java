package dev.parley.workflows.json;

import java.util.LinkedHashMap;
import java.util.List;

/** Constant JSON values. */
public final class Values {
    public static final Json NULL = new Json.Null();
    public static final Json TRUE = new Json.Bool(true);
    public static final Json FALSE = new Json.Bool(false);
    public static final Json.Arr EMPTY_ARRAY = Json.of(List.of());
    public static final Json.Obj EMPTY_OBJECT = Json.of(new LinkedHashMap<>());

    private Values() {}
}
