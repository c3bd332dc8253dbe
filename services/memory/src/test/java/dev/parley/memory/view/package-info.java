@org.jspecify.annotations.NullMarked
package dev.parley.memory.view;
