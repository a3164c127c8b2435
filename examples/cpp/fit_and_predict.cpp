// Reads a table, fits a model, prints its terms, predicts new rows with intervals, and saves the model.
//
//     fit_and_predict TRAIN.csv TARGET NEW.csv MODEL.json
#include <exception>
#include <iostream>
#include <shrimp/shrimp.hpp>

int main(int argc, char** argv) try {
  if (argc != 5) {
    std::cerr << "usage: fit_and_predict TRAIN.csv TARGET NEW.csv MODEL.json\n";
    return 2;
  }
  const std::string train_file = argv[1], target = argv[2], new_file = argv[3], model_file = argv[4];

  // Read and encode. With `kinds`, text becomes categories, ISO dates become days, and missing cells are allowed.
  shrimp::CsvOptions reading;
  reading.kinds = true;
  const shrimp::Dataset table = shrimp::split_target(shrimp::read_csv(train_file, reading), target, train_file);
  const shrimp::Dataset train = shrimp::encode_inputs(table);

  // Fit. All options have defaults.
  shrimp::FitOptions options;
  options.seed = 1;
  const shrimp::FitResult result = shrimp::fit(train, options);
  const shrimp::Model& model = result.model;
  std::cout << "validation MSE " << result.validation_mse << '\n';
  for (const shrimp::Term& term : model.terms) std::cout << model.term_name(term) << ' ' << term.fraction << '\n';

  // Predict. Columns are matched by name.
  const shrimp::Table rows = shrimp::read_csv(new_file);
  const shrimp::Matrix X = shrimp::select_columns(rows, model.inputs, new_file);
  const shrimp::PredictionIntervals predicted = shrimp::predict_intervals(model, X, 0.9);
  std::cout << predicted.prediction.front() << " in [" << predicted.lower.front() << ", " << predicted.upper.front()
            << "]\n";

  shrimp::save_model(model, model_file);
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';  // The problem, its location and the fix.
  return 1;
}
