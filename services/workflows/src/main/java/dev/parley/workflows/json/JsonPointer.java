package dev.parley.workflows.json;

/** JSON pointers (RFC 6901). */
public final class JsonPointer {
    private JsonPointer() {}

    /** The pointer to a child. */
    public static String child(String pointer, String name) {
        return pointer + "/" + name.replace("~", "~0").replace("/", "~1");
    }

    /** The last name of a pointer. */
    public static String name(String pointer) {
        return unescape(pointer.substring(pointer.lastIndexOf('/') + 1));
    }

    /** The value at a pointer, which must exist. */
    public static Json at(Json value, String pointer) {
        Json current = value;
        for (String token : pointer.substring(1).split("/")) {
            String name = unescape(token);
            current = current instanceof Json.Arr ? current.list().get(Integer.parseInt(name)) : current.get(name);
        }
        return current;
    }

    /** The value at an untrusted pointer, or JSON null. */
    public static Json find(Json value, String pointer) {
        try {
            return pointer.isEmpty() ? value : at(value, pointer);
        } catch (NumberFormatException | IndexOutOfBoundsException e) { // not an item of the list
            return Values.NULL;
        }
    }

    private static String unescape(String token) {
        return token.replace("~1", "/").replace("~0", "~");
    }
}
