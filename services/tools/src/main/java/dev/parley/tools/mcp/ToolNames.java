package dev.parley.tools.mcp;

import dev.parley.domain.Sha256;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Names of a server's tools in the characters that models accept: {@code A-Z a-z 0-9 _ -}, at most 64. */
final class ToolNames {
    private static final int MAX_LENGTH = 64;
    private static final int MARK_LENGTH = 6;

    private ToolNames() {}

    /**
     * A name of its own for each name. Names that would be one, such as {@code get.user} and {@code get/user}, end with
     * a mark that depends on nothing but the name, so that it stays when the server has other tools.
     */
    static Map<String, String> distinct(Collection<String> names) {
        var uses = new HashMap<String, Integer>();
        names.stream().distinct().forEach(name -> uses.merge(plain(name), 1, Integer::sum));
        var distinct = new LinkedHashMap<String, String>();
        for (String name : names) {
            String plain = plain(name);
            boolean isOwn = plain.equals(name) || uses.getOrDefault(plain, 0) == 1;
            distinct.put(name, isOwn ? plain : marked(plain, name));
        }
        return distinct;
    }

    private static String plain(String name) {
        String plain = name.replaceAll("[^A-Za-z0-9_-]", "_");
        return plain.substring(0, Math.min(plain.length(), MAX_LENGTH));
    }

    private static String marked(String plain, String name) {
        String kept = plain.substring(0, Math.min(plain.length(), MAX_LENGTH - MARK_LENGTH - 1));
        return kept + "_" + Sha256.hex(name).substring(0, MARK_LENGTH);
    }
}
