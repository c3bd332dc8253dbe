package dev.parley.domain.content;

import java.util.Objects;

/**
 * An item exactly as a provider sent it, replayed byte for byte to the same provider only.
 *
 * @param provider family of the provider that understands it, for example {@code openai}
 * @param type the provider's own item type, for example {@code web_search_call}
 * @param json the item's text, never reformatted
 */
public record ProviderItem(String provider, String type, String json) {
    public ProviderItem {
        Objects.requireNonNull(provider, "provider");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(json, "json");
    }
}
