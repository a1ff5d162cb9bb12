// The characters of a JSON text: places, white space, comments, and the text between two quotes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/config/source_text.h"

namespace flotilla::config {

class JsonScanner {
 public:
  JsonScanner(SourcePtr source, std::size_t offset);

  // Ends the scan: throws InvalidInput with one problem.
  [[noreturn]] void fail(const Place& place, std::string message, std::string hint = {}) const;

  [[nodiscard]] bool done() const { return position_ >= text_.size(); }
  [[nodiscard]] bool at(char c) const { return !done() && text_[position_] == c; }
  [[nodiscard]] bool at_letter() const;
  [[nodiscard]] bool at_number() const;  // or at what somebody may have meant as one
  [[nodiscard]] bool ahead(std::string_view expected) const;

  [[nodiscard]] Place here(int length = 1) const { return {source_, line_, column_, length}; }
  // From a place to the current position, when that is on the same line.
  [[nodiscard]] Place since(Place begin) const;
  [[nodiscard]] int line() const { return line_; }

  void advance();
  void advance(std::size_t bytes);
  void skip_byte_order_mark();
  void skip_blank();  // white space and comments

  // The word at the current position; empty when there is none.
  [[nodiscard]] std::string word() const;
  // The longest run of characters that numbers and words are made of.
  std::string take_run();
  // The text between two double quotes; precondition: at('"').
  std::string take_text();

  // What is at the current position, for messages.
  [[nodiscard]] std::string found() const;

 private:
  void take_character(std::string& out);
  void take_escape(std::string& out);
  void take_unicode(std::string& out, const Place& begin);
  std::optional<unsigned> take_hex4();
  [[nodiscard]] unsigned byte(std::size_t ahead) const;

  SourcePtr source_;
  std::string_view text_;
  std::size_t position_ = 0;
  int line_ = 1;
  int column_ = 1;
};

}  // namespace flotilla::config
